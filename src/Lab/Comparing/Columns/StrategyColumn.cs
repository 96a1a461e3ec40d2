using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Columns;

/// <summary>What a column of the table of strategies holds. A report may give some kinds a special form.</summary>
internal enum ColumnKind
{
    Label,
    Text,
    Number,
    Range,
    Verdict,
}

/// <summary>One column of the table of strategies, for the terminal and every report.</summary>
internal sealed record StrategyColumn
{
    /// <summary>Its head, with the unit.</summary>
    public required string Title { get; init; }

    public required ColumnKind Kind { get; init; }

    /// <summary>A text. Null for the other kinds.</summary>
    public Func<ComparedStrategy, string>? Text { get; init; }

    /// <summary>A number. Null for the other kinds.</summary>
    public Func<ComparedStrategy, double?>? Number { get; init; }

    /// <summary>The number of excluded cells, shown in brackets where no cell counts. Null for a column without one.</summary>
    public Func<ComparedStrategy, double?>? Excluded { get; init; }

    /// <summary>The ends of an interval. Null for the other kinds.</summary>
    public Func<ComparedStrategy, Interval?>? Range { get; init; }

    /// <summary>How a number, or each end of an interval, is written.</summary>
    public Func<double?, string> Form { get; init; } = Figures.Count;

    /// <summary>On a terminal without room for all columns those of the highest rank are left out first. 0 is always shown.</summary>
    public int Rank { get; init; }

    public bool IsText => Kind is ColumnKind.Label or ColumnKind.Text or ColumnKind.Verdict;

    /// <summary>The number in brackets. Null where a cell counts, or where there is none.</summary>
    public double? GetExcluded(ComparedStrategy row) => Number?.Invoke(row) is null ? Excluded?.Invoke(row) : null;

    /// <summary>The column's value for a strategy, as plain text. <see cref="Figures.None"/> where it is missing.</summary>
    public string Of(ComparedStrategy row) =>
        Kind switch
        {
            ColumnKind.Number => GetExcluded(row) is { } excluded ? $"({Form(excluded)})" : Form(Number!(row)),
            ColumnKind.Range => Figures.Range(Range!(row), Form),
            _ => Text!(row),
        };
}
