using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The services that the cells of a comparison use, one cell after another.</summary>
internal interface ICellServices : IAsyncDisposable
{
    /// <summary>The folder for ledgers, results and records of the cells.</summary>
    string Folder { get; }

    /// <summary>The clients that look at the services beside a cell.</summary>
    ClientFamily Clients { get; }

    /// <summary>The emulator that the cells share. Null where the services are not an emulator of this comparison.</summary>
    SharedEmulator? Emulator { get; }

    /// <summary>The hub that a cell reads.</summary>
    CellHub GetHub(ComparisonPlan plan, Cell cell);

    /// <summary>The connection settings of a cell's consumer.</summary>
    MessagingSettings GetSettings(Cell cell, CellHub hub);

    /// <summary>The same as environment variables, as far as they differ from those of this process.</summary>
    IReadOnlyDictionary<string, string> GetVariables(Cell cell, CellHub hub);

    /// <summary>Prepares what a cell reads and writes, before its consumer gets its options.</summary>
    Task PrepareAsync(ComparisonPlan plan, Cell cell, CellHub hub, CancellationToken cancellationToken);

    /// <summary>Reads what only the services have of a cell that has ended, and removes what it wrote.</summary>
    /// <param name="plan">The comparison.</param>
    /// <param name="cell">The cell. Its consumer has ended.</param>
    /// <param name="hub">The hub that it has read.</param>
    /// <param name="isUsable">Whether its consumer left a result.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<CellEvidence> EndAsync(ComparisonPlan plan, Cell cell, CellHub hub, bool isUsable, CancellationToken cancellationToken);

    /// <summary>Judges every cell, after the last one has ended.</summary>
    /// <returns>A result for each, in their order.</returns>
    Task<IReadOnlyList<ComparedCell>> JudgeAsync(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells);
}
