namespace EventHubThroughput.Emulator;

/// <summary>The settings that can be wrong, each named as the property that holds it.</summary>
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
