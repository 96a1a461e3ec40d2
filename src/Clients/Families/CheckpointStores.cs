namespace EventHubThroughput.Clients;

/// <summary>The names of the checkpoint stores, by which the command line chooses one.</summary>
public static class CheckpointStores
{
    /// <summary>The store of this project, whose checkpoint writes can require the last version seen.</summary>
    public const string Own = "own";

    /// <summary>The store of the official Processor package, which writes unconditionally.</summary>
    public const string Package = "package";
}
