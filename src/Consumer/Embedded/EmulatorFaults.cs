using System.Net.Http.Headers;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Embedded;

/// <summary>
/// Takes away and arms faults of an embedded emulator. One that was started with faults, so that it refuses what it does not know
/// before anything happens, loses them while the hub is filled and gets them again when that is done: nothing strikes the sender,
/// and counts and seconds begin with the run.
/// </summary>
internal sealed class EmulatorFaults : IDisposable
{
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(10);

    private readonly HttpClient http;

    /// <param name="settings">What the emulator said of itself.</param>
    public EmulatorFaults(IReadOnlyDictionary<string, string> settings)
    {
#pragma warning disable CA2000 // The client owns and disposes its handler.
        http = new HttpClient(new SocketsHttpHandler { UseProxy = false }, disposeHandler: true)
        {
            BaseAddress = new Uri(settings["EMULATOR_ADMIN_URL"]),
            Timeout = AnswerLimit,
        };
#pragma warning restore CA2000
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", KeyOf(settings["EVENTHUB_CONNECTION_STRING"]));
    }

    /// <summary>Takes all faults away.</summary>
    public Task HoldAsync(CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, "faults", null, cancellationToken);

    /// <summary>Arms faults in their order.</summary>
    /// <param name="faults">Names and files, as given to <c>--faults</c>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task ArmAsync(string faults, CancellationToken cancellationToken)
    {
        foreach (var one in faults.Split(','))
        {
            if (one.EndsWith(".json", StringComparison.OrdinalIgnoreCase))
            {
                using var file = new ByteArrayContent(await File.ReadAllBytesAsync(one, cancellationToken));
                await SendAsync(HttpMethod.Post, "faults", file, cancellationToken);
            }
            else
            {
                await SendAsync(HttpMethod.Post, $"faults?name={Uri.EscapeDataString(one)}", null, cancellationToken);
            }
        }
    }

    public void Dispose() => http.Dispose();

    private static string KeyOf(string connectionString)
    {
        const string name = "SharedAccessKey=";
        return connectionString.Split(';').First(part => part.StartsWith(name, StringComparison.Ordinal))[name.Length..];
    }

    private async Task SendAsync(HttpMethod method, string path, HttpContent? content, CancellationToken cancellationToken)
    {
        try
        {
            using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative)) { Content = content };
            using var answer = await http.SendAsync(request, cancellationToken);
            if (!answer.IsSuccessStatusCode)
            {
                throw new ExitException(
                    ExitCode.Dependency, $"emulator refused the faults: {(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync(cancellationToken)}");
            }
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException
            || (exception is TaskCanceledException && !cancellationToken.IsCancellationRequested))
        {
            throw new ExitException(ExitCode.Dependency, $"emulator did not take the faults: {exception.Message}", exception);
        }
    }
}
