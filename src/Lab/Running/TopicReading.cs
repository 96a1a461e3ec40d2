using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// Judges an embedded run whose messages are sent to a topic. The emulator's journal shows what the topic took. Only the subscription has what a reader gets.
/// So it is read back, with hub, container and checkpoints, and judged without the journal.
/// </summary>
internal static class TopicReading
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>Reads and judges while the emulator runs.</summary>
    /// <param name="options">The run.</param>
    /// <param name="embedded">Its emulator. Sending and consuming have ended.</param>
    /// <param name="endedEarly">Whether a signal or a fault ended the run.</param>
    /// <param name="progress">Receives a line about what was read.</param>
    /// <param name="clock">The clock.</param>
    /// <exception cref="FailureException">The emulator does not answer.</exception>
    public static async Task<VerdictReport> JudgeAsync(RunOptions options, EmbeddedServices embedded, bool endedEarly, TextWriter progress, TimeProvider clock)
    {
        using var limit = new CancellationTokenSource(Limit, clock);
        try
        {
            await embedded.CalmAsync(limit.Token);
            await using var clients = options.Clients.Connect(embedded.Settings, new ClientOptions { TimeProvider = clock });
            using var reading = new NamespaceReading(clients, embedded.Settings, EmbeddedServices.Subscription, options.Run, progress);
            await reading.RunAsync(limit.Token);
            return RunVerification.Judge(options, embedded.Settings, (embedded.Ledger, reading.Journal), named: true, endedEarly);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Dependency, $"the subscription was not read back within {Limit.TotalMinutes:0} min");
        }
    }
}
