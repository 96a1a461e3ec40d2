using System.Text.Json.Nodes;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Results;

/// <summary>Which run it was and how it ended.</summary>
internal sealed record RunHeader
{
    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The name of the run.</summary>
    public required string Id { get; init; }

    /// <summary>When it began, by the clock of the machine.</summary>
    public required DateTimeOffset StartedUtc { get; init; }

    /// <summary>The kind of the document, here a run.</summary>
    public required ResultKind Kind { get; init; }

    /// <summary>The command line that made it, as it is typed into a shell. Null in results of earlier versions.</summary>
    public string? Command { get; init; }

    /// <summary>
    /// The options of the run, every default filled in, as one process of this program gives them to another. They are data to read: their members
    /// follow the program's version. Null in results of earlier versions.
    /// </summary>
    public JsonObject? Options { get; init; }

    /// <summary>The block of a comparison that it was run in, from 0. Null for any other run.</summary>
    public int? Block { get; init; }

    /// <summary>Its place in that block, from 0.</summary>
    public int? OrderInBlock { get; init; }

    /// <summary>What decides the order of the comparison's blocks and the resamples of its intervals. Null for any other run.</summary>
    public int? Seed { get; init; }

    /// <summary>Why processing ended.</summary>
    public required ProcessingEnd End { get; init; }

    /// <summary>The exit code that follows from verdict and faults.</summary>
    public required int ExitCode { get; init; }

    /// <summary>The fault that ended it, and faults at the end, a line each.</summary>
    public required IReadOnlyList<string> Faults { get; init; }
}
