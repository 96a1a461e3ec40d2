namespace EventHubThroughput.Emulator;

/// <summary>The settings that can be invalid, each named like its property.</summary>
public enum EmulatorSetting
{
    EventHubsPort,
    ServiceBusPort,
    BlobPort,
    AdminPort,
    TlsPort,
    AdminTlsPort,
    DataPath,
    SpillPath,
    JournalPath,
    Key,
}
