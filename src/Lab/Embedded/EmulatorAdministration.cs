using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>
/// The HTTP interface of an embedded emulator. An emulator that was started with faults refuses unknown ones when it starts. It loses its faults while the hub
/// is filled, and gets them back afterwards. So no fault strikes the sender, and counts and seconds begin with the run. At the end it reports which latencies
/// were requested and which it kept.
/// </summary>
internal sealed class EmulatorAdministration : IDisposable
{
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(10);
    private static readonly JsonSerializerOptions Naming = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    private readonly HttpClient http;

    /// <param name="settings">The settings that the emulator reported.</param>
    public EmulatorAdministration(IReadOnlyDictionary<string, string> settings)
    {
#pragma warning disable CA2000 // The client owns and disposes its handler.
        http = new HttpClient(new SocketsHttpHandler { UseProxy = false }, disposeHandler: true)
        {
            BaseAddress = new Uri(settings["EMULATOR_ADMIN_URL"]),
            Timeout = AnswerLimit,
        };
#pragma warning restore CA2000
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", GetKey(settings["EVENTHUB_CONNECTION_STRING"]));
    }

    /// <summary>Creates a topic with one subscription, which gets every message of it.</summary>
    public async Task CreateTopicAsync(string topic, string subscription, CancellationToken cancellationToken)
    {
        await SendAsync(HttpMethod.Put, $"topics/{topic}", null, cancellationToken);
        await SendAsync(HttpMethod.Put, $"topics/{topic}/subscriptions/{subscription}", null, cancellationToken);
    }

    /// <summary>Creates an event hub.</summary>
    /// <param name="hub">Its name.</param>
    /// <param name="partitions">How many partitions it has.</param>
    /// <param name="groups">Its consumer groups beside the default one.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task CreateHubAsync(string hub, int partitions, IReadOnlyList<string> groups, CancellationToken cancellationToken)
    {
        using var settings = new ByteArrayContent(JsonSerializer.SerializeToUtf8Bytes(new { Partitions = partitions, ConsumerGroups = groups }, Naming));
        await SendAsync(HttpMethod.Put, $"hubs/{hub}", settings, cancellationToken);
    }

    /// <summary>Deletes an event hub with its events.</summary>
    public Task DeleteHubAsync(string hub, CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, $"hubs/{hub}", null, cancellationToken);

    /// <summary>Creates a queue.</summary>
    public Task CreateQueueAsync(string queue, CancellationToken cancellationToken) => SendAsync(HttpMethod.Put, $"queues/{queue}", null, cancellationToken);

    /// <summary>Creates a topic with this subscription, or without one a queue.</summary>
    public Task CreateQueueOrTopicAsync(string name, string? subscription, CancellationToken cancellationToken) =>
        subscription is null ? CreateQueueAsync(name, cancellationToken) : CreateTopicAsync(name, subscription, cancellationToken);

    /// <summary>Deletes what <see cref="CreateQueueOrTopicAsync"/> has created.</summary>
    public Task DeleteQueueOrTopicAsync(string name, string? subscription, CancellationToken cancellationToken) =>
        subscription is null ? DeleteQueueAsync(name, cancellationToken) : DeleteTopicAsync(name, cancellationToken);

    /// <summary>Creates a container.</summary>
    public Task CreateContainerAsync(string container, CancellationToken cancellationToken) =>
        SendAsync(HttpMethod.Put, $"containers/{container}", null, cancellationToken);

    /// <summary>Deletes a queue with its messages.</summary>
    public Task DeleteQueueAsync(string queue, CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, $"queues/{queue}", null, cancellationToken);

    /// <summary>Deletes a topic with its subscriptions.</summary>
    public Task DeleteTopicAsync(string topic, CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, $"topics/{topic}", null, cancellationToken);

    /// <summary>Deletes a container with its blobs.</summary>
    public Task DeleteContainerAsync(string container, CancellationToken cancellationToken) =>
        SendAsync(HttpMethod.Delete, $"containers/{container}", null, cancellationToken);

    /// <summary>Removes the emulator's faults and latencies, so that reading its content is not disturbed or delayed.</summary>
    public async Task CalmAsync(CancellationToken cancellationToken)
    {
        await HoldFaultsAsync(cancellationToken);
        await UseProfileAsync(LatencyProfiles.None.Name, cancellationToken);
    }

    /// <summary>Restarts a profile: its steps, its quotas, its counts, and another sequence of draws.</summary>
    /// <param name="profile">Its name or file, as given to <c>--profile</c>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task UseProfileAsync(string profile, CancellationToken cancellationToken)
    {
        if (!LatencyProfiles.Names.Contains(profile))
        {
            using var file = new ByteArrayContent(NamedFile.Read(profile, profile, SettingsDocument.LargestSize));
            await SendAsync(HttpMethod.Put, "profile", file, cancellationToken);
            return;
        }

        await SendAsync(HttpMethod.Put, $"profile?name={Uri.EscapeDataString(profile)}", null, cancellationToken);
    }

    /// <summary>Removes all faults.</summary>
    public Task HoldFaultsAsync(CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, "faults", null, cancellationToken);

    /// <summary>Arms faults in their order.</summary>
    /// <param name="faults">Names and files, as given to <c>--faults</c>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task ArmFaultsAsync(string faults, CancellationToken cancellationToken)
    {
        foreach (var one in faults.Split(','))
        {
            if (one.EndsWith(".json", StringComparison.OrdinalIgnoreCase))
            {
                using var file = new ByteArrayContent(NamedFile.Read(one, one, SettingsDocument.LargestSize));
                await SendAsync(HttpMethod.Post, "faults", file, cancellationToken);
            }
            else
            {
                await SendAsync(HttpMethod.Post, $"faults?name={Uri.EscapeDataString(one)}", null, cancellationToken);
            }
        }
    }

    /// <summary>The latencies of every operation that occurred, as far as the emulator still answers.</summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>A row for each operation. Empty if the emulator has ended.</returns>
    public async Task<IReadOnlyList<InjectedLatency>> ReadLatenciesAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var answer = JsonDocument.Parse(await SendAsync(HttpMethod.Get, "profile", null, cancellationToken));
            var asked = answer.RootElement.GetProperty("profile");
            return
            [
                .. answer
                    .RootElement.GetProperty("observed")
                    .Deserialize<InjectedLatency[]>(Naming)!
                    .Select(row => row with { AskedSerialMs = GetSerial(asked, row.Operation) }),
            ];
        }
        catch (FailureException)
        {
            return [];
        }
    }

    /// <summary>Reads the emulator's own metrics in the form of Prometheus.</summary>
    public async Task<ReadOnlyMemory<byte>> ReadMetricsAsync(CancellationToken cancellationToken) =>
        Encoding.UTF8.GetBytes(await SendAsync(HttpMethod.Get, "metrics", null, cancellationToken));

    public void Dispose() => http.Dispose();

    private static double GetSerial(JsonElement profile, string operation) =>
        profile.TryGetProperty(operation, out var law) && law.TryGetProperty("serialMs", out var serial) ? serial.GetDouble() : 0;

    private static string GetKey(string connectionString)
    {
        const string name = "SharedAccessKey=";
        return connectionString.Split(';').First(part => part.StartsWith(name, StringComparison.Ordinal))[name.Length..];
    }

    private async Task<string> SendAsync(HttpMethod method, string path, HttpContent? content, CancellationToken cancellationToken)
    {
        try
        {
            using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative)) { Content = content };
            using var answer = await http.SendAsync(request, cancellationToken);
            var text = await answer.Content.ReadAsStringAsync(cancellationToken);
            return answer.IsSuccessStatusCode
                ? text
                : throw new FailureException(FailureCause.Dependency, $"emulator refused {method} {path}: {(int)answer.StatusCode} {text}");
        }
        catch (Exception exception)
            when (exception is HttpRequestException or IOException || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            throw new FailureException(FailureCause.Dependency, $"emulator did not answer {method} {path}: {exception.Message}", exception);
        }
    }
}
