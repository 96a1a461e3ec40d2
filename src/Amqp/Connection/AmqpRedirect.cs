using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>
/// The address to which a peer redirects. A container at another address (AMQP 1.0 part 2, 2.8.16) closes the connection. A node at another address (2.8.18)
/// refuses or detaches the link. The caller follows by connecting to that host, and for a link by attaching to its address. The caller decides how many
/// redirects it follows.
/// </summary>
/// <param name="NetworkHost">The host name or address to connect to.</param>
/// <param name="Port">The port to connect to, 1 to 65,535.</param>
/// <param name="HostName">The virtual host for the open frame, SASL and TLS. Null where none is named.</param>
/// <param name="Address">The node's address there. Null for a container.</param>
public sealed record AmqpRedirect(string NetworkHost, int Port, string? HostName = null, string? Address = null)
{
    private const string HostNameKey = "hostname";
    private const string NetworkHostKey = "network-host";
    private const string PortKey = "port";
    private const string AddressKey = "address";

    /// <summary>The redirect of an error. Null for another error, or when the host is missing or the port is invalid.</summary>
    /// <param name="error">The error of a close or a detach.</param>
    public static AmqpRedirect? Of(AmqpError error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return
            error.Condition.Value is ErrorCondition.ConnectionRedirect or ErrorCondition.LinkRedirect
            && error.Info is { } info
            && info.FindString(NetworkHostKey) is { Length: > 0 } host
            && info.FindInteger(PortKey) is { } port and > 0 and <= ushort.MaxValue
            ? new AmqpRedirect(host, (int)port, info.FindString(HostNameKey), info.FindString(AddressKey))
            : null;
    }

    /// <summary>The error that carries this redirect: for a link if there is an address, else for the connection.</summary>
    /// <param name="description">Text for people.</param>
    public AmqpError ToError(string? description = null)
    {
        var info = new AmqpMap { { new AmqpSymbol(NetworkHostKey), NetworkHost }, { new AmqpSymbol(PortKey), (ushort)Port } };
        if (HostName is not null)
        {
            info.Add(new AmqpSymbol(HostNameKey), HostName);
        }

        if (Address is not null)
        {
            info.Add(new AmqpSymbol(AddressKey), Address);
        }

        return new AmqpError(Address is null ? ErrorCondition.ConnectionRedirect : ErrorCondition.LinkRedirect, description, info);
    }

    /// <summary>
    /// The options to connect to the new host, otherwise unchanged. TLS settings of the caller keep the name that they check. Without any, the certificate
    /// must be that of the new host.
    /// </summary>
    /// <param name="options">The options of the connection that was redirected.</param>
    public AmqpConnectionOptions Follow(AmqpConnectionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options with { Host = NetworkHost, Port = Port, HostName = HostName ?? options.HostName };
    }
}
