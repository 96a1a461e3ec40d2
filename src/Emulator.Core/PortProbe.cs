using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace EventHubThroughput.Emulator;

/// <summary>Binds a port exclusively before it is used. With address reuse two processes could share it.</summary>
internal static class PortProbe
{
    /// <exception cref="EmulatorException">The port is in use.</exception>
    public static void Check(EmulatorSetting setting, IPAddress address, int port)
    {
        if (port != 0 && Try(address, port) is { } exception)
        {
            throw InUse(setting, port, exception);
        }
    }

    /// <summary>Whether listening failed because of its port. The web server reports it with a different exception.</summary>
    public static bool IsInUse(Exception exception) =>
        exception is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse } or IOException { InnerException: AddressInUseException };

    public static bool IsFree(IPAddress address, int port) => Try(address, port) is null;

    public static EmulatorException InUse(EmulatorSetting setting, int port, Exception exception) =>
        new(
            EmulatorErrorKind.PortInUse,
            setting,
            port.ToString(CultureInfo.InvariantCulture),
            exception is SocketException { SocketErrorCode: SocketError.AccessDenied }
                ? "not allowed for this user. Use 0 for a free one"
                : "in use. Use 0 for a free one",
            exception
        );

    private static SocketException? Try(IPAddress address, int port)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        if (OperatingSystem.IsWindows())
        {
            // Other systems refuse a second listener anyway. With exclusive use they would also refuse a port while connections of a killed emulator linger.
            socket.ExclusiveAddressUse = true;
        }

        try
        {
            socket.Bind(new IPEndPoint(address, port));
            socket.Listen(1);
            return null;
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
        {
            return exception;
        }
    }
}
