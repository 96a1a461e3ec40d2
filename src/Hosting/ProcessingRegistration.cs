using EventHubThroughput.Clients;
using EventHubThroughput.Hosting.Handling;
using EventHubThroughput.Processing;
using Microsoft.Extensions.Configuration;

namespace EventHubThroughput.Hosting;

/// <summary>What was said of one processing while the services were put together.</summary>
/// <param name="name">Its name.</param>
/// <param name="section">Where its options are configured. Null for the section of its name.</param>
internal sealed class ProcessingRegistration(string name, IConfigurationSection? section)
{
    public string Name { get; } = name;

    /// <summary>Before the name of an option, in a problem.</summary>
    public string Path { get; } = section?.Path ?? name;

    public HostedSinks Sinks { get; } = new();

    /// <summary>The clients to use. Null for the official ones.</summary>
    public ClientFamily? Clients { get; set; }

    /// <summary>Changes the options of processing after all else.</summary>
    public Func<ProcessingOptions, ProcessingOptions> Change { get; set; } = static options => options;

    /// <summary>Names differ by more than their case, as configuration sections do.</summary>
    public bool Has(string other) => string.Equals(Name, other, StringComparison.OrdinalIgnoreCase);

    /// <summary>The section of the options in the configuration of the host, if it has one.</summary>
    public IConfigurationSection? SectionOf(IConfiguration? configuration) => section ?? configuration?.GetSection(Name);
}
