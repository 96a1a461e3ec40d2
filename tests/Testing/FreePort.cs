using System.Net;
using System.Net.Sockets;

namespace EventHubThroughput.Testing;

/// <summary>Ports of this machine for tests that must name one. Where a program can choose for itself, give it 0.</summary>
public static class FreePort
{
    /// <summary>A port without a listener a moment ago. Another program may take it.</summary>
    public static int Next()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
