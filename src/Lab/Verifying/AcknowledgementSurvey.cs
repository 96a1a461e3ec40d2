using EventHubThroughput.Journal;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>The handlers that a consumer's record names. It is read once before the verdict, which needs their names.</summary>
/// <param name="Handlers">The names.</param>
/// <param name="Lines">The record.</param>
internal sealed record AcknowledgementSurvey(IReadOnlyList<string> Handlers, IEnumerable<Acknowledgement> Lines)
{
    // As many sinks as a run can have.
    private const int MostHandlers = 31;

    /// <exception cref="JournalFormatException">The record is damaged.</exception>
    /// <exception cref="UsageException">It names more handlers than a run can have.</exception>
    public static AcknowledgementSurvey Of(string path)
    {
        var lines = AcknowledgementFile.Open(path).Lines;
        var handlers = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var line in lines)
        {
            if (line.Handler is { } handler && handlers.Add(handler) && handlers.Count > MostHandlers)
            {
                throw new UsageException($"--acknowledgements {path}: names more than {MostHandlers} handlers");
            }
        }

        return new AcknowledgementSurvey([.. handlers], lines);
    }
}
