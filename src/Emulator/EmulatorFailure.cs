using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator;

/// <summary>The errors of the emulator in the terms of its command line: exit codes and options.</summary>
internal static class EmulatorFailure
{
    /// <summary>The option that gives a setting its value.</summary>
    public static string OptionOf(EmulatorSetting setting) =>
        setting switch
        {
            EmulatorSetting.EventHubsPort => "--eventhubs-port",
            EmulatorSetting.ServiceBusPort => "--servicebus-port",
            EmulatorSetting.BlobPort => "--blob-port",
            EmulatorSetting.AdminPort => "--admin-port",
            EmulatorSetting.TlsPort => "--tls-port",
            EmulatorSetting.AdminTlsPort => "--admin-tls-port",
            EmulatorSetting.DataPath => "--data",
            EmulatorSetting.SpillPath => "--spill",
            EmulatorSetting.JournalPath => "--journal",
            EmulatorSetting.Key => "--key-file",
            _ => throw new ArgumentOutOfRangeException(nameof(setting), setting, message: null),
        };

    /// <summary>What ends the program: its lines on standard error, and the cause, which has its exit code in <see cref="ExitCode"/>.</summary>
    public static Exception Of(EmulatorException exception)
    {
        string[] lines = [.. exception.Describe(OptionOf)];
        return exception.Kind switch
        {
            EmulatorErrorKind.InvalidInput => new UsageException(lines),
            EmulatorErrorKind.InconsistentData => new FailureException(FailureCause.Dependency, lines[0], exception),
            EmulatorErrorKind.NotWritable => new FailureException(FailureCause.NotWritable, lines[0], exception),
            EmulatorErrorKind.PortInUse => new FailureException(FailureCause.PortInUse, lines[0], exception),
            _ => throw new ArgumentOutOfRangeException(nameof(exception), exception.Kind, message: null),
        };
    }
}
