using EventHubThroughput.Lab.Embedded;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The names of a cell's runs and of its entities on the emulator.</summary>
/// <param name="Comparison">The name of the comparison.</param>
/// <param name="Number">The cell, from 0.</param>
internal sealed record CellNames(string Comparison, int Number)
{
    /// <summary>The run of a search, from 0, of which a cell has many. Null where it has one.</summary>
    public int? Search { get; init; }

    /// <summary>Whether its messages go to a topic on the emulator instead of a queue.</summary>
    public bool HasTopic { get; init; }

    /// <summary>The name of the run.</summary>
    public string Run => Search is { } run ? $"{Comparison}-{Number}-{run}" : $"{Comparison}-{Number}";

    /// <summary>Its entities on the emulator.</summary>
    public CellEntities OnEmulator =>
        new(
            GetGroup(Number),
            HasTopic ? $"topic-{Run}" : $"queue-{Run}",
            HasTopic ? EmbeddedServices.Subscription : null,
            $"archive-{Run}",
            $"checkpoints-{Run}",
            $"deadletters-{Run}"
        );

    /// <summary>The group of a cell. The emulator's hub has those of all cells from its beginning on.</summary>
    public static string GetGroup(int number) => $"cell-{number}";
}
