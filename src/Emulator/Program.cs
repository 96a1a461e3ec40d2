using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator;

return await CommandHost.RunAsync(
    new EmulatorCommand(CommandConsole.OfProcess, StopRequest.OfProcess).Root,
    args,
    CommandConsole.OfProcess,
    CancellationToken.None
);
