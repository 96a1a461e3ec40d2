using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>An address that a consumer connects to.</summary>
/// <param name="Services">The services that it serves.</param>
/// <param name="Host">The host.</param>
/// <param name="Port">The port.</param>
internal sealed record ServiceEndpoint(IReadOnlyList<ProbedService> Services, string Host, int Port)
{
    /// <summary>Why TLS is off. Null if it is on.</summary>
    public string? PlainReason { get; init; }

    /// <summary>The address for which the system may have a proxy. Null for connections that use none.</summary>
    public Uri? ProxiedAddress { get; init; }

    /// <summary>The variables that name the host.</summary>
    public required string Variables { get; init; }

    /// <summary>The endpoints of the settings. A namespace of two services is one.</summary>
    public static IReadOnlyList<ServiceEndpoint> Of(MessagingSettings settings) =>
        [
            .. GetAll(settings)
                .GroupBy(static one => (Host: one.Host.ToUpperInvariant(), one.Port))
                .Select(static same =>
                    same.First() with
                    {
                        Services = [.. same.SelectMany(static one => one.Services)],
                        Variables = string.Join(" or ", same.Select(static one => one.Variables)),
                    }
                ),
        ];

    /// <summary>A service as the output names it.</summary>
    public static string GetName(ProbedService service) =>
        service switch
        {
            ProbedService.EventHubs => "event hubs",
            ProbedService.ServiceBus => "service bus",
            _ => "storage",
        };

    private static IEnumerable<ServiceEndpoint> GetAll(MessagingSettings settings) => Enum.GetValues<ProbedService>().Select(service => Of(settings, service));

    private static ServiceEndpoint Of(MessagingSettings settings, ProbedService service)
    {
        var address = settings.GetAddress(service);
        var usesHttp = service == ProbedService.Storage || settings.Transport == MessagingTransport.WebSockets;
        return new ServiceEndpoint([service], address.Host, address.Port)
        {
            PlainReason =
                address.UsesTls ? null
                : service == ProbedService.Storage ? "the address of storage is http, on this machine"
                : "UseDevelopmentEmulator=true turns it off",
            ProxiedAddress = usesHttp && !address.IsLoopback ? new UriBuilder(Uri.UriSchemeHttps, address.Host, address.Port).Uri : null,
            Variables = address.Variable,
        };
    }
}
