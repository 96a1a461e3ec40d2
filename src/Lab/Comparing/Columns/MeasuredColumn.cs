using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Columns;

/// <summary>A figure of a run whose median over the cells of a strategy is a column.</summary>
/// <param name="Name">The member of <c>figures</c> in the JSON.</param>
/// <param name="Title">The head of the column, with the unit.</param>
/// <param name="Of">The figure; null where it was not measured.</param>
/// <param name="Form">How it is written.</param>
internal sealed record MeasuredColumn(string Name, string Title, Func<RunResult, double?> Of, Func<double?, string> Form);
