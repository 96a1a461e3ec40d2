namespace EventHubThroughput.Emulator.Blobs.Answers;

/// <summary>What a lease is on: the codes differ in one word.</summary>
internal enum LeaseWords
{
    Blob,
    Container,
}
