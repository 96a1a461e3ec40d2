namespace EventHubThroughput.Consumer.Cli;

/// <summary>Explains why a run that was expected to be embedded is not, when the environment has variables of the connection settings.</summary>
internal static class ConnectionNotice
{
    // Any of these variables names a connection. Without one, the variables that are set only name entities.
    private static readonly string[] Connections =
    [
        "EVENTHUB_CONNECTION_STRING",
        "EVENTHUB_NAMESPACE",
        "SERVICEBUS_CONNECTION_STRING",
        "SERVICEBUS_NAMESPACE",
        "STORAGE_CONNECTION_STRING",
        "STORAGE_ACCOUNT_URL",
    ];

    private static readonly string[] Entities =
    [
        "EVENTHUB_CONSUMER_GROUP",
        "EVENTHUB_NAME",
        "SERVICEBUS_QUEUE",
        "SERVICEBUS_TOPIC",
        "STORAGE_CONTAINER",
        "CHECKPOINT_CONTAINER",
        "DEADLETTER_CONTAINER",
    ];

    /// <summary>The reason why the run is not embedded. Null if a connection is named or no variable is set.</summary>
    /// <param name="environment">The environment.</param>
    public static string? Of(Func<string, string?> environment)
    {
        string[] entities = [.. Entities.Where(name => !string.IsNullOrWhiteSpace(environment(name)))];
        return entities.Length == 0 || Connections.Any(name => environment(name) is not null)
            ? null
            : $"{string.Join(", ", entities)}: set, so the run is not embedded and needs connection settings. Unset {(entities.Length == 1 ? "it" : "them")} for an embedded run";
    }
}
