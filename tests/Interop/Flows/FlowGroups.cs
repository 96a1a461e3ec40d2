namespace EventHubThroughput.Interop;

/// <summary>Every group of flows.</summary>
internal static class FlowGroups
{
    public static IReadOnlyList<FlowGroup> All { get; } =
    [
        JavaScriptEventHubsTests.Group,
        JavaScriptCheckpointTests.Group,
        JavaScriptServiceBusTests.Group,
        JavaScriptAdministrationTests.Group,
        JavaScriptWebSocketTests.Group,
        JavaScriptBlobTests.Group,
        PythonEventHubsTests.Group,
        PythonCheckpointTests.Group,
        PythonServiceBusTests.Group,
        PythonBlobTests.Group,
        PythonUamqpTests.Group,
        RheaTests.Group,
        LiteTests.Group,
        PythonProtonTests.Group,
        OurClientTests.Group,
    ];
}
