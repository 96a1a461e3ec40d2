namespace EventHubThroughput.Journal.Files;

/// <summary>A file is not written, because data would be lost. The message names the existing object.</summary>
public sealed class OutputRefusedException(string message) : IOException(message);
