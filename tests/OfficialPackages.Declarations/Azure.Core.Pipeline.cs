namespace Azure.Core.Pipeline;

[ReadFrom("Azure.Core", "1.46.2")]
public class HttpClientTransport : HttpPipelineTransport, IDisposable
{
    public HttpClientTransport(HttpClient client) => throw null!;

    public void Dispose() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class HttpPipelinePolicy
{
    public abstract ValueTask ProcessAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline);

    public abstract void Process(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline);

    protected static ValueTask ProcessNextAsync(HttpMessage message, ReadOnlyMemory<HttpPipelinePolicy> pipeline) => throw null!;

    protected HttpPipelinePolicy() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class HttpPipelineTransport
{
    internal HttpPipelineTransport() => throw null!;
}
