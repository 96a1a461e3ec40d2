using System.Net.Http.Headers;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The emulator's administration over HTTP: faults are armed and disarmed while it runs.</summary>
internal sealed class Administration(string address, string key)
{
    /// <summary>Arms faults, each the query of one request.</summary>
    public async Task ArmAsync(IEnumerable<string> faults, CancellationToken cancellationToken)
    {
        foreach (var fault in faults)
        {
            await SendAsync(HttpMethod.Post, $"faults?{fault}", cancellationToken);
        }
    }

    public Task DisarmAsync(CancellationToken cancellationToken) => SendAsync(HttpMethod.Delete, "faults", cancellationToken);

    public async Task SendAsync(HttpMethod method, string path, CancellationToken cancellationToken, string? body = null)
    {
        using var client = new HttpClient() { Timeout = TimeSpan.FromSeconds(30) };
        using var request = new HttpRequestMessage(method, new Uri($"{address.TrimEnd('/')}/{path}"));
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", key);
        request.Content = body is null ? null : new StringContent(body);
        using var response = await client.SendAsync(request, cancellationToken);
        if (!response.IsSuccessStatusCode)
        {
            throw new InvalidOperationException($"{method} {path}: {response.StatusCode}: {await response.Content.ReadAsStringAsync(cancellationToken)}");
        }
    }
}
