using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator;

/// <summary>Maps errors of the emulator to its command line: exit codes and options.</summary>
internal static class EmulatorFailure
{
    /// <summary>The option that sets a setting.</summary>
    public static string GetOption(EmulatorSetting setting) =>
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

    /// <summary>The exception that ends the program. It has the lines for standard error, and a cause whose exit code is in <see cref="ExitCode"/>.</summary>
    public static Exception Of(EmulatorException exception)
    {
        string[] lines = [.. exception.Describe(GetOption)];
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
