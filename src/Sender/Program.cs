using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Sender;

internal static class Program
{
    // Measured: about 90 while it sends.
    private const int Descriptors = 120;

    private static Task<int> Main(string[] args) => DescriptorLimit.Suffices("sender", Descriptors) ? RunAsync(args) : Task.FromResult(2);

    private static async Task<int> RunAsync(string[] args)
    {
        var console = CommandConsole.OfProcess;
        using var stop = new StopSignals();
        var command = SenderCommand.Create(
            console,
            static (family, settings, logs) => family.Connect(settings, new ClientOptions { LoggerFactory = logs }),
            () => console.Live is { } terminal ? new ProgressFrames(terminal, TimeProvider.System) : new ProgressLines(console.Error, TimeProvider.System),
            TimeProvider.System,
            Console.In.ReadLine
        );
        return await CommandHost.RunAsync(command, args, console, stop.Token);
    }
}
