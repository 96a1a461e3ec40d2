using EventHubThroughput.Processes;

namespace EventHubThroughput.Safety.Cells;

/// <summary>When the faults of a row are armed.</summary>
internal enum Arming
{
    /// <summary>The hub is filled, no consumer runs yet.</summary>
    BeforeTheConsumer,

    /// <summary>A part of the events, drawn from the seed, is at the sinks.</summary>
    MidRun,

    /// <summary>The emulator has just started: the sender meets them too.</summary>
    BeforeTheSender,
}

/// <summary>
/// One row of the fault matrix: what is injected, how, and what must come of it. It is run once with every strategy of the
/// catalogue that can meet it. A new row is one entry in one of the lists of this project.
/// </summary>
/// <param name="Id">F, the number of the row in the specification, and, where a row has several, which of them.</param>
/// <param name="Injected">What is injected, in a few words.</param>
internal sealed record FaultRow(string Id, string Injected)
{
    /// <summary>Faults for the emulator's laboratory, each as the query of its administration (<c>name=F11&amp;every=50</c>).</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    public Arming Arming { get; init; }

    /// <summary>Options of the consumer beyond, or instead of, those of every cell.</summary>
    public string Options { get; init; } = "";

    /// <summary>Options of the emulator beyond those of every cell.</summary>
    public string Emulator { get; init; } = "";

    /// <summary>What a shell does before it becomes the consumer: limits of the operating system.</summary>
    public string Shell { get; init; } = "";

    /// <summary>Variables of the consumer's environment beyond its settings.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>How many events are sent. Null: the number of every cell.</summary>
    public int? Events { get; init; }

    /// <summary>How long the events take at the least: messages are then taken one after another, and a batch of messages like one of them.</summary>
    public int Seconds { get; init; }

    /// <summary>Whether the emulator answers without latency: events one after another, of a row that has very many, end in time then.</summary>
    public bool Immediate { get; init; }

    /// <summary>Done to an emulator without a journal before that of the cell begins: what was there before. Needs <c>--data</c>.</summary>
    public Func<Stage, CancellationToken, Task>? Prepare { get; init; }

    /// <summary>Files beside the cell's own, by name.</summary>
    public IReadOnlyDictionary<string, string> Files { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Fills the hub and writes the ledger.</summary>
    public Func<Stage, CancellationToken, Task> Sends { get; init; } = static (stage, token) => stage.SendAsync("--size 256 --keys 64", token);

    /// <summary>What happens from the filled hub to the end of the last consumer.</summary>
    public Func<Stage, CancellationToken, Task<FinishedProcess>> Script { get; init; } = static (stage, token) => stage.ConsumeAsync(token);

    /// <summary>Removes the cause, after which a further run must end clean. Null when only the faults must go.</summary>
    public Func<Stage, CancellationToken, Task>? Heal { get; init; }

    /// <summary>Options of the consumer that runs after healing.</summary>
    public string Healing { get; init; } = "";

    /// <summary>The expectation of the row beyond exit code, text and verdict. Null when there are no objections.</summary>
    public Func<CellFacts, string?> Also { get; init; } = static _ => null;

    public required Expected Expected { get; init; }

    /// <summary>The expectation on the official clients, where they end in another way.</summary>
    public Expected? OnOfficialClients { get; init; }

    /// <summary>Whether the official clients cannot read the events. The run after healing then uses the built-in clients.</summary>
    public bool IsUnreadableForOfficialClients { get; init; }

    /// <summary>Whether the row runs on the built-in clients: on the official ones each of its cells takes many minutes.</summary>
    public bool OnBuiltInClients { get; init; }

    /// <summary>Whether a process dies while it writes its results: its temporary file cannot be removed then.</summary>
    public bool KilledWhileWriting { get; init; }

    /// <summary>Whether the row belongs to the sample that is run at every commit.</summary>
    public bool Sampled { get; init; }

    /// <summary>Whether only strategies that continue before a batch has ended can meet the fault of the row. The sample has all of these then.</summary>
    public bool AcrossBatches { get; init; }

    /// <summary>A program hangs after this time. It is far more than the program needs, for busy machines.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMinutes(5);
}

/// <summary>What the journal must say at the end.</summary>
internal enum Standing
{
    /// <summary>Everything is at both sinks or among the dead letters, nothing breaks a promise.</summary>
    Clean,

    /// <summary>Nothing breaks a promise, but something may be missing that is still to come.</summary>
    NotFailed,

    /// <summary>The verdict must convict: the emulator itself spoilt the data.</summary>
    Convicted,
}

/// <summary>How the last consumer of a cell ends.</summary>
/// <param name="Exit">Its exit code.</param>
/// <param name="ErrorPattern">A pattern for its one line on standard error. Null when it ends without an error.</param>
internal sealed record Expected(int Exit, string? ErrorPattern = null)
{
    public static Expected Clean { get; } = new(0);

    /// <summary>The verdict after the cause is gone and, if the exit code was not 0, one more run has ended.</summary>
    public Standing Verdict { get; init; }

    /// <summary>How often the faults must have struck at the least: a fault that never came proves nothing.</summary>
    public int Strikes { get; init; } = 1;

    /// <summary>Whether several lines of errors are right: bad configuration lists all errors together.</summary>
    public bool SeveralLines { get; init; }
}
