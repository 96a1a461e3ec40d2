using EventHubThroughput.Clients;
using EventHubThroughput.Hosting.Handling;
using EventHubThroughput.Processing;
using Microsoft.Extensions.Configuration;

namespace EventHubThroughput.Hosting;

/// <summary>What was registered for one processing.</summary>
/// <param name="name">Its name.</param>
/// <param name="section">The configuration section of its options. Null for the section with its name.</param>
internal sealed class ProcessingRegistration(string name, IConfigurationSection? section)
{
    public string Name { get; } = name;

    /// <summary>The prefix of an option's name in a problem.</summary>
    public string Path { get; } = section?.Path ?? name;

    public HostedSinks Sinks { get; } = new();

    /// <summary>The clients to use. Null for the official ones.</summary>
    public ClientFamily? Clients { get; set; }

    /// <summary>Changes the processing options after everything else.</summary>
    public Func<ProcessingOptions, ProcessingOptions> Change { get; set; } = static options => options;

    /// <summary>Two names must differ in more than their case, like configuration sections.</summary>
    public bool Has(string other) => string.Equals(Name, other, StringComparison.OrdinalIgnoreCase);

    /// <summary>The section of the options in the configuration of the host, if it has one.</summary>
    public IConfigurationSection? GetSection(IConfiguration? configuration) => section ?? configuration?.GetSection(Name);
}
