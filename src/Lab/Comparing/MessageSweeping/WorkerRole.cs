using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The parts of a processor sweep that run as separate processes.</summary>
internal enum WorkerRole
{
    /// <summary>Sends messages at a rate, in batches.</summary>
    Feed,

    /// <summary>Forwards each message and completes it: what is measured.</summary>
    Forward,

    /// <summary>Receives and completes what was forwarded.</summary>
    Drain,
}

/// <summary>The options of a worker.</summary>
internal sealed record WorkerOptions
{
    /// <summary>Which one it is.</summary>
    public required WorkerRole Role { get; init; }

    /// <summary>The entity that it receives from. A feeder sends to it.</summary>
    public required string Entity { get; init; }

    /// <summary>The entity that it forwards to.</summary>
    public string Target { get; init; } = "";

    /// <summary>Messages at one time.</summary>
    public int Concurrency { get; init; } = 1;

    /// <summary>The least threads of the pool. 0 leaves the runtime's own.</summary>
    public int Threads { get; init; }

    /// <summary>The most threads of the pool. 0 leaves the runtime's own.</summary>
    public int MostThreads { get; init; }

    /// <summary>The family of clients of the forwarder.</summary>
    public string Clients { get; init; } = ClientFamily.Official;

    /// <summary>What a handler does beside forwarding.</summary>
    public HandlerWork Work { get; init; }

    /// <summary>Messages a second to send.</summary>
    public int Rate { get; init; } = 1;

    /// <summary>Left out before anything is measured.</summary>
    public TimeSpan WarmUp { get; init; }

    /// <summary>What is measured.</summary>
    public TimeSpan Length { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The hidden command that runs a worker.</summary>
    public const string Command = "message-worker";

    /// <summary>The same as arguments of the program.</summary>
    public IReadOnlyList<string> Arguments =>
        [
            Command,
            "--role",
            GetName(Role),
            "--entity",
            Entity,
            "--target",
            Target.Length > 0 ? Target : "none",
            "--concurrency",
            Text(Concurrency),
            "--threads",
            Text(Threads),
            "--most-threads",
            Text(MostThreads),
            "--clients",
            Clients,
            "--block-ms",
            Text((int)Work.Block.TotalMilliseconds),
            "--rate",
            Text(Rate),
            "--warm-up",
            DurationText.Format(WarmUp),
            "--measure",
            DurationText.Format(Length),
        ];

    /// <summary>The name of a role among the arguments.</summary>
    public static string GetName(WorkerRole role) => role.ToString().ToLowerInvariant();

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
