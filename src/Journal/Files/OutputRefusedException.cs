namespace EventHubThroughput.Journal.Files;

/// <summary>A file is not written, because something would be lost. The message says what lies there.</summary>
public sealed class OutputRefusedException(string message) : IOException(message);
