using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Where a peer sends whoever came to it: a container that is to be found elsewhere (AMQP 1.0 part 2, 2.8.16) closes the connection with it, a node (2.8.18) refuses or
/// detaches the link. It is followed by connecting there, and for a link by attaching to its address. Who follows says how often.
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

    /// <summary>The redirect that an error is. Null when it is another error, or lacks the host or a port that can be one.</summary>
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

    /// <summary>The error that tells a peer of it: for a link where there is an address, else for the connection.</summary>
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
    /// The options to connect there, all else as it was. TLS settings of the caller's own keep the name that they check. Without any the certificate has to be that of
    /// the new host.
    /// </summary>
    /// <param name="options">How the connection was made that was sent away.</param>
    public AmqpConnectionOptions Follow(AmqpConnectionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options with { Host = NetworkHost, Port = Port, HostName = HostName ?? options.HostName };
    }
}
