using System.Collections;
using Azure.Core.Pipeline;

namespace Azure.Core;

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class ClientOptions
{
    internal ClientOptions() => throw null!;

    public void AddPolicy(HttpPipelinePolicy policy, HttpPipelinePosition position) => throw null!;

    public HttpPipelineTransport Transport
    {
        set => throw null!;
    }

    public RetryOptions Retry
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public struct HttpHeader
{
    public string Name
    {
        get => throw null!;
    }

    public string Value
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public sealed class HttpMessage : IDisposable
{
    internal HttpMessage() => throw null!;

    public Request Request
    {
        get => throw null!;
    }

    public Response Response
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public enum HttpPipelinePosition
{
    BeforeTransport = 2,
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class Request : IDisposable
{
    internal Request() => throw null!;

    public virtual RequestUriBuilder Uri
    {
        get => throw null!;
    }

    public virtual RequestMethod Method
    {
        get => throw null!;
    }

    public virtual RequestContent? Content
    {
        get => throw null!;
        set => throw null!;
    }

    public RequestHeaders Headers
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class RequestContent : IDisposable
{
    public abstract Task WriteToAsync(Stream stream, CancellationToken cancellation);

    public abstract void WriteTo(Stream stream, CancellationToken cancellation);

    public abstract bool TryComputeLength(out long length);

    public abstract void Dispose();

    protected RequestContent() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public struct RequestHeaders : IEnumerable<HttpHeader>
{
    IEnumerator<HttpHeader> IEnumerable<HttpHeader>.GetEnumerator() => throw null!;

    IEnumerator IEnumerable.GetEnumerator() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public struct RequestMethod
{
    public bool Equals(RequestMethod other) => throw null!;

    public static RequestMethod Put
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public class RequestUriBuilder
{
    internal RequestUriBuilder() => throw null!;

    public Uri ToUri() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public struct ResponseHeaders : IEnumerable<HttpHeader>
{
    public bool TryGetValue(string name, out string? value) => throw null!;

    public DateTimeOffset? Date
    {
        get => throw null!;
    }

    IEnumerator<HttpHeader> IEnumerable<HttpHeader>.GetEnumerator() => throw null!;

    IEnumerator IEnumerable.GetEnumerator() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public enum RetryMode
{
    Exponential = 1,
}

[ReadFrom("Azure.Core", "1.46.2")]
public class RetryOptions
{
    internal RetryOptions() => throw null!;

    public int MaxRetries
    {
        set => throw null!;
    }

    public TimeSpan Delay
    {
        set => throw null!;
    }

    public TimeSpan MaxDelay
    {
        set => throw null!;
    }

    public RetryMode Mode
    {
        set => throw null!;
    }

    public TimeSpan NetworkTimeout
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class TokenCredential
{
    internal TokenCredential() => throw null!;
}
