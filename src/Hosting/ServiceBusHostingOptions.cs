namespace EventHubThroughput.Hosting;

/// <summary>The queue or topic of the sink <c>servicebus</c>.</summary>
public sealed class ServiceBusHostingOptions
{
    /// <summary>
    /// The connection string of the entity or its namespace, or the name of one among <c>ConnectionStrings</c> of the configuration. Default null.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>The namespace. The credential is that of <see cref="EventHubHostingOptions.FullyQualifiedNamespace"/>. Default null.</summary>
    public string? FullyQualifiedNamespace { get; set; }

    /// <summary>The queue. Null, the default, uses <see cref="Topic"/> or <c>EntityPath</c> of the connection string.</summary>
    public string? Queue { get; set; }

    /// <summary>The topic. Default null.</summary>
    public string? Topic { get; set; }
}
