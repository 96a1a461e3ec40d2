namespace EventHubThroughput.Interop;

/// <summary>The client of a flow. Each is a column of the support table.</summary>
internal enum FlowClient
{
    /// <summary>The official JavaScript SDKs.</summary>
    JavaScript,

    /// <summary>The official Python SDKs, as Debian has them.</summary>
    Python,

    /// <summary>python3-uamqp, over TLS.</summary>
    Uamqp,

    /// <summary>rhea, a plain AMQP client without support for Azure.</summary>
    Rhea,

    /// <summary>AMQPNetLite, an AMQP library for .NET without support for Azure.</summary>
    Lite,

    /// <summary>python3-qpid-proton, over TLS.</summary>
    Proton,

    /// <summary>The clients of src/Clients.</summary>
    Ours,
}
