namespace EventHubThroughput.Emulator.Messages;

/// <summary>How much one transfer may bring.</summary>
internal sealed record TransferLimits
{
    public const int PartitionKeyCharacters = 128;

    public required int MessageBytes { get; init; }

    public int BatchMessages { get; init; } = 4_500;

    public int PropertiesBytes { get; init; } = 64 * 1024;
}
