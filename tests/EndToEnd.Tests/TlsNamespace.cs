using System.Data.Common;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using EventHubThroughput.AzureProtocol;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// A foreign namespace: an emulator with TLS before all its services and with its own certificate. It has a separate loopback address, because namespaces
/// without a key have a fixed port.
/// </summary>
internal sealed class TlsNamespace : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly HttpClient _http = new();
    private TlsRelay? _storage;
    private TlsRelay? _https;

    public EmulatorProcess Emulator { get; private set; } = null!;

    /// <summary>Settings for Entra ID on all services.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = null!;

    /// <summary>Settings with a key for all services, over TLS.</summary>
    public IReadOnlyDictionary<string, string> KeySettings { get; private set; } = null!;

    /// <summary>Settings for Entra ID on one service. The others have keys and no TLS.</summary>
    /// <param name="service">What the variables of that service begin with.</param>
    public Dictionary<string, string> WithoutKey(string service) =>
        new Dictionary<string, string>(
            Settings
                .Where(one => !IsOfService(one.Key) || one.Key.StartsWith(service, StringComparison.Ordinal))
                .Concat(Emulator.Settings.Where(one => !one.Key.StartsWith(service, StringComparison.Ordinal)))
                .DistinctBy(static one => one.Key)
        );

    /// <param name="arguments">Further arguments of the emulator.</param>
    /// <param name="identity">Where tokens of Entra ID come from. Null for keys only.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public static async Task<TlsNamespace> StartAsync(string arguments, IdentityEndpoint? identity, CancellationToken cancellationToken)
    {
        var started = new TlsNamespace();
        var host = new IPAddress([127, (byte)Random.Shared.Next(64, 192), (byte)Random.Shared.Next(1, 255), (byte)Random.Shared.Next(1, 255)]);
        var data = started._folder.File("data");
        started.Emulator = await EmulatorProcess.StartAsync($"--host {host} --tls-port 5671 --data {data} {arguments}", cancellationToken);
        var storage = new DbConnectionStringBuilder() { ConnectionString = started.Emulator.Settings["STORAGE_CONNECTION_STRING"] };
        var plain = new Uri((string)storage["BlobEndpoint"]);
        started._storage = TlsRelay.Start(data, new IPEndPoint(host, plain.Port));
        var blobs = $"https://{host}:{started._storage.Port}{plain.AbsolutePath}";
        var key = MessagingConnectionString.Parse(started.Emulator.Settings["EVENTHUB_CONNECTION_STRING"]);
        var common = new Dictionary<string, string>
        {
            ["EVENTHUB_NAME"] = "hub",
            ["SERVICEBUS_QUEUE"] = "queue",
            ["SSL_CERT_FILE"] = started.Emulator.Settings["EMULATOR_TLS_CERTIFICATE"],
        };
        started.Settings = new Dictionary<string, string>(common.Concat(identity?.Variables ?? []))
        {
            ["EVENTHUB_NAMESPACE"] = $"{host}",
            ["SERVICEBUS_NAMESPACE"] = $"{host}",
            ["STORAGE_ACCOUNT_URL"] = blobs,
        };
        var messaging = $"Endpoint=sb://{host};SharedAccessKeyName={key.KeyName};SharedAccessKey={key.Key}";
        started.KeySettings = new Dictionary<string, string>(common)
        {
            ["EVENTHUB_CONNECTION_STRING"] = messaging,
            ["SERVICEBUS_CONNECTION_STRING"] = messaging,
            ["STORAGE_CONNECTION_STRING"] =
                $"DefaultEndpointsProtocol=https;AccountName={storage["AccountName"]};AccountKey={storage["AccountKey"]};BlobEndpoint={blobs}",
        };
        started._http.BaseAddress = new Uri(started.Emulator.Settings["EMULATOR_ADMIN_URL"]);
        started._http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key.Key);
        return started;
    }

    /// <summary>Opens the port of HTTPS, on which namespaces are administered. Only an administrator of this machine may open it.</summary>
    public void OpenHttps()
    {
        var host = IPAddress.Parse(Settings["EVENTHUB_NAMESPACE"]);
        try
        {
            _https = TlsRelay.Pass(new IPEndPoint(host, 443), new IPEndPoint(host, 5671));
        }
        catch (SocketException denied) when (denied.SocketErrorCode == SocketError.AccessDenied && Environment.GetEnvironmentVariable("CI") != "true")
        {
            Assert.Skip("port 443 cannot be opened by this user (net.ipv4.ip_unprivileged_port_start)");
        }
    }

    /// <summary>Settings with the keys of two policies that the emulator was started with, over TLS.</summary>
    /// <param name="ofHub">The policy for the event hub.</param>
    /// <param name="ofQueue">The policy for the queue.</param>
    public Dictionary<string, string> WithPolicies(string ofHub, string ofQueue)
    {
        var endpoint = KeySettings["EVENTHUB_CONNECTION_STRING"].Split(';')[0];
        return new Dictionary<string, string>(KeySettings)
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"{endpoint};{Emulator.Settings[$"EMULATOR_POLICY_{ofHub.ToUpperInvariant()}"]}",
            ["SERVICEBUS_CONNECTION_STRING"] = $"{endpoint};{Emulator.Settings[$"EMULATOR_POLICY_{ofQueue.ToUpperInvariant()}"]}",
        };
    }

    /// <summary>Replaces the faults of the emulator.</summary>
    /// <param name="faults">Each in the form of a faults file.</param>
    public async Task UseFaultsAsync(IEnumerable<string> faults, CancellationToken cancellationToken)
    {
        using var held = await _http.DeleteAsync(new Uri("faults", UriKind.Relative), cancellationToken);
        held.EnsureSuccessStatusCode();
        using var rules = new StringContent($"{{ \"faults\": [{string.Join(", ", faults)}] }}", Encoding.UTF8, "application/json");
        using var armed = await _http.PostAsync(new Uri("faults", UriKind.Relative), rules, cancellationToken);
        Assert.True(armed.IsSuccessStatusCode, await armed.Content.ReadAsStringAsync(cancellationToken));
    }

    /// <summary>The messages of the queue and the blobs of all containers.</summary>
    public async Task<(long Messages, long Blobs)> CountAsync(CancellationToken cancellationToken)
    {
        using var statistics = JsonDocument.Parse(await _http.GetStringAsync(new Uri("stats", UriKind.Relative), cancellationToken));
        var queue = statistics.RootElement.GetProperty("queues")[0];
        return (
            queue.GetProperty("active").GetInt64(),
            statistics.RootElement.GetProperty("containers").EnumerateArray().Sum(static container => container.GetProperty("blobs").GetInt64())
        );
    }

    /// <summary>The events of the hub.</summary>
    public async Task<long> CountEventsAsync(CancellationToken cancellationToken)
    {
        using var statistics = JsonDocument.Parse(await _http.GetStringAsync(new Uri("stats", UriKind.Relative), cancellationToken));
        return statistics.RootElement.GetProperty("hubs")[0].GetProperty("events").GetInt64();
    }

    /// <summary>Creates an entity, as its user does.</summary>
    /// <param name="path">Its path, as in queues/NAME.</param>
    public async Task CreateAsync(string path, CancellationToken cancellationToken)
    {
        using var made = await _http.PutAsync(new Uri(path, UriKind.Relative), null, cancellationToken);
        Assert.True(made.IsSuccessStatusCode, await made.Content.ReadAsStringAsync(cancellationToken));
    }

    /// <summary>How many consumer groups, queues, topics and containers have a name with this beginning.</summary>
    public async Task<int> CountEntitiesAsync(string beginning, CancellationToken cancellationToken)
    {
        var count = 0;
        foreach (var path in (string[])["hubs", "queues", "topics", "containers"])
        {
            var text = await _http.GetStringAsync(new Uri(path, UriKind.Relative), cancellationToken);
            count += text.Split($"\"{beginning}").Length - 1;
        }

        return count;
    }

    public async ValueTask DisposeAsync()
    {
        await (_https?.DisposeAsync() ?? ValueTask.CompletedTask);
        await (_storage?.DisposeAsync() ?? ValueTask.CompletedTask);
        _http.Dispose();
        await Emulator.DisposeAsync();
        _folder.Dispose();
    }

    private static bool IsOfService(string variable) =>
        new[] { "EVENTHUB", "SERVICEBUS", "STORAGE" }.Any(service => variable.StartsWith(service, StringComparison.Ordinal));
}
