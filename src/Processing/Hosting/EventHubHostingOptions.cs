using EventHubThroughput.Clients;

namespace EventHubThroughput.Processing;

/// <summary>How a host processes an event hub. Everything is checked when the host starts.</summary>
public sealed class EventHubHostingOptions
{
    /// <summary>How events are processed; every default is safe.</summary>
    public ProcessingOptions Processing { get; set; } = new();

    /// <summary>
    /// Where the services are. Null, the default, reads the variables of <see cref="MessagingSettings.FromEnvironment"/> from the
    /// configuration of the host, which the environment is a part of.
    /// </summary>
    public MessagingSettings? Settings { get; set; }

    /// <summary>The clients of the services. Default: the built-in ones.</summary>
    public ClientFamily Clients { get; set; } = ClientFamily.BuiltIn;

    /// <summary>
    /// The exit code of the process after a fault, unless the program ends with another one; null leaves it alone. The host itself ends a
    /// program with 0 when a background service fails. Default 1.
    /// </summary>
    public int? ExitCodeOnFault { get; set; } = 1;
}
