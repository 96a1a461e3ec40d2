namespace EventHubThroughput.Sender.Input;

/// <summary>Events of a file, all of which have been checked.</summary>
internal interface IFileSource : IEventSource
{
    /// <summary>The file.</summary>
    string Path { get; }

    /// <summary>The most bytes of any body.</summary>
    int LargestBody { get; }
}
