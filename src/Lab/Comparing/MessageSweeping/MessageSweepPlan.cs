using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The options of a processor sweep.</summary>
internal sealed record MessageSweepPlan
{
    /// <summary>Every point in the order in which they are run.</summary>
    public required IReadOnlyList<MessagePoint> Points { get; init; }

    /// <summary>The latency profile.</summary>
    public required string Profile { get; init; }

    /// <summary>The most messages a second that are sent.</summary>
    public required int Rate { get; init; }

    /// <summary>Left out of each cell.</summary>
    public required TimeSpan WarmUp { get; init; }

    /// <summary>For how long each is measured.</summary>
    public required TimeSpan Length { get; init; }

    /// <summary>Whether messages are forwarded to a topic with one subscription instead of a queue.</summary>
    public required bool Topic { get; init; }

    /// <summary>What each handler does beside forwarding.</summary>
    public HandlerWork Work { get; init; }

    /// <summary>How long the emulator may take to start.</summary>
    public TimeSpan StartLimit { get; init; } = EmulatorStart.UsualLimit;

    /// <summary>The arguments of the program.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>The files of data and report. Null writes none.</summary>
    public string? Output { get; init; }

    /// <inheritdoc cref="Output"/>
    public string? Report { get; init; }

    /// <summary>The result of an earlier part of the sweep. Null for none.</summary>
    public MessageSweepResult? Earlier { get; init; }

    /// <summary>Points that are still to be run: those without figures are tried again.</summary>
    public IReadOnlyList<MessagePoint> Left =>
        [.. Points.Except((Earlier?.Cells ?? []).Where(static cell => cell.MessagesPerS is not null).Select(static cell => cell.Point))];

    /// <summary>
    /// Messages a second that waiting alone allows: each place is taken while the handler blocks, for one send and for one settlement. A fixed pool also
    /// limits how many handlers block.
    /// </summary>
    public double GetModel(MessagePoint point)
    {
        var profile = ProfileReader.Of(Profile);
        var seconds =
            (profile.Of(EmulatedOperation.MessageSend).TotalMeanMilliseconds + profile.Of(EmulatedOperation.MessageSettle).TotalMeanMilliseconds) / 1_000;
        var blocked = Work.Block.TotalSeconds;
        var places = seconds + blocked > 0 ? point.Concurrency / (seconds + blocked) : Rate;
        return point.IsFixed && blocked > 0 ? Math.Min(places, point.Threads / blocked) : places;
    }
}
