using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>
/// An HTTP server that gives the answers of a script, one per request and connection. An empty answer closes the connection
/// without a word after the request was read.
/// </summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource stopping = new();
    private readonly Task serving;

    public ScriptedServer(params string[] answers)
    {
        listener.Start();
        serving = ServeAsync(answers);
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    /// <summary>The request heads in order of arrival.</summary>
    public List<string> Requests { get; } = [];

    public static string Answer(int status, string headers = "") => $"HTTP/1.1 {status} Scripted\r\nContent-Length: 0\r\nConnection: close\r\n{headers}\r\n";

    public async ValueTask DisposeAsync()
    {
        await stopping.CancelAsync();

        // The pending accept ends by the token. A listener that was gone first would fault the next one.
        await serving;
        listener.Dispose();
        stopping.Dispose();
    }

    private static async Task<string> ReadRequestAsync(NetworkStream stream, CancellationToken cancellationToken)
    {
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            await stream.ReadExactlyAsync(one, cancellationToken);
            head.Append((char)one[0]);
        }

        var length = head.ToString().Split("\r\n").FirstOrDefault(line => line.StartsWith("Content-Length:", StringComparison.OrdinalIgnoreCase));
        if (length is not null)
        {
            var body = new byte[int.Parse(length[15..], CultureInfo.InvariantCulture)];
            await stream.ReadExactlyAsync(body, cancellationToken);
        }

        return head.ToString();
    }

    private async Task ServeAsync(string[] answers)
    {
        try
        {
            foreach (var answer in answers)
            {
                using var client = await listener.AcceptTcpClientAsync(stopping.Token);
                await using var stream = client.GetStream();
                Requests.Add(await ReadRequestAsync(stream, stopping.Token));
                await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), stopping.Token);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or SocketException)
        {
            // The test has ended.
        }
    }
}
