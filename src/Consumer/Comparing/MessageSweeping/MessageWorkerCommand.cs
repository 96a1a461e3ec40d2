using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Consumer.Comparing.MessageSweeping;

/// <summary>
/// The hidden command of a processor sweep's child processes. Connection settings come from the environment. The process ends with its standard input.
/// </summary>
internal static class MessageWorkerCommand
{
    private static readonly (string Name, WorkerRole Value)[] Roles =
    [
        .. Enum.GetValues<WorkerRole>().Select(static role => (WorkerOptions.GetName(role), role)),
    ];

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="clock">The clock.</param>
    public static Command Create(CommandConsole console, TimeProvider clock)
    {
        var role = Options.Choice("--role", "Which part of a processor sweep this is", WorkerRole.Forward, Roles);
        var entity = Options.TextOr("--entity", "Queue or subscription to receive from. Of a feeder, the entity to send to", "queue");
        var target = Options.TextOr("--target", "Queue or topic that it forwards to", "none");
        var concurrency = Options.Integer(
            "--concurrency",
            "Messages processed concurrently",
            1,
            1,
            Clients.ServiceBus.MessageProcessorOptions.MostConcurrentCalls
        );
        var threads = Options.Integer("--threads", "Minimum of the thread pool. 0 is the default of the runtime", 0, 0, 32_767);
        var most = Options.Integer("--most-threads", "Maximum of the thread pool. 0 is the default of the runtime", 0, 0, 32_767);
        var clients = Options.Choice(
            "--clients",
            "Clients of the forwarder",
            ClientFamily.Official,
            [.. ClientFamilies.All.Select(static family => family.Name)]
        );
        var block = Options.Integer("--block-ms", "Milliseconds for which each handler blocks its thread", 0, 0, 60_000);
        var rate = Options.Integer("--rate", "Messages a second to send", 1, 1, 1_000_000);
        var warmUp = Options.Duration("--warm-up", "Warm-up", TimeSpan.FromSeconds(2), TimeSpan.Zero, TimeSpan.FromHours(1));
        var length = Options.Duration("--measure", "Measured", TimeSpan.FromSeconds(5), TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(24));
        var command = new Command(WorkerOptions.Command, "One process of a processor sweep, which starts it.")
        {
            role,
            entity,
            target,
            concurrency,
            threads,
            most,
            clients,
            block,
            rate,
            warmUp,
            length,
        };
        command.Hidden = true;
        var settings = MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer);
        command.CheckAll(_ => settings.IsNone ? [$"{WorkerOptions.Command}: no connection settings in the environment"] : settings.Problems);
        command.SetAction(
            async (parsed, _) =>
            {
                var options = new WorkerOptions
                {
                    Role = parsed.GetValue(role),
                    Entity = parsed.GetValue(entity)!,
                    Target = parsed.GetValue(target)!,
                    Concurrency = parsed.GetValue(concurrency),
                    Threads = parsed.GetValue(threads),
                    MostThreads = parsed.GetValue(most),
                    Clients = parsed.GetValue(clients)!,
                    Work = new HandlerWork(TimeSpan.Zero, TimeSpan.FromMilliseconds(parsed.GetValue(block))),
                    Rate = parsed.GetValue(rate),
                    WarmUp = parsed.GetValue(warmUp),
                    Length = parsed.GetValue(length),
                };
                // A signal reaches the whole process group. The parent process ends this one later.
                using var ended = new CancellationTokenSource();
                var watching = WatchInputAsync(ended);
                var code = await new MessageWorker(options, settings.Settings!, console.Output, clock).RunAsync(ended.Token);
                await ended.CancelAsync();
                await watching;
                return code;
            }
        );
        return command;
    }

    private static async Task WatchInputAsync(CancellationTokenSource ended)
    {
        await using var input = StandardStreams.OpenInput();
        try
        {
            var buffer = new byte[256];
            while (await input.ReadAsync(buffer, ended.Token) > 0)
            {
                // Here standard input carries no commands.
            }

            await ended.CancelAsync();
        }
        catch (OperationCanceledException) { }
    }
}
