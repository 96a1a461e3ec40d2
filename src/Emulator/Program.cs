using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator;

internal static class Program
{
    private static Task<int> Main(string[] args) => DescriptorLimit.Suffices("emulator", DescriptorShare.Least) ? RunAsync(args) : Task.FromResult(2);

    private static Task<int> RunAsync(string[] args) =>
        CommandHost.RunAsync(new EmulatorCommand(CommandConsole.OfProcess, StopRequest.OfProcess).Root, args, CommandConsole.OfProcess, CancellationToken.None);
}
