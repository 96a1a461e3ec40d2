using Azure.Core;

namespace Azure;

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class AsyncPageable<T> : IAsyncEnumerable<T>
{
    internal AsyncPageable() => throw null!;

    public virtual IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public struct ETag
{
    public static readonly ETag All = default!;

    public ETag(string etag) => throw null!;

    public string ToString(string format) => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public class MatchConditions
{
    internal MatchConditions() => throw null!;

    public ETag? IfMatch
    {
        set => throw null!;
    }

    public ETag? IfNoneMatch
    {
        set => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class NullableResponse<T>
{
    internal NullableResponse() => throw null!;

    public abstract T? Value { get; }
}

[ReadFrom("Azure.Core", "1.46.2")]
public class RequestConditions : MatchConditions
{
    internal RequestConditions() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public class RequestFailedException : Exception
{
    internal RequestFailedException() => throw null!;

    public Response? GetRawResponse() => throw null!;

    public int Status
    {
        get => throw null!;
    }

    public string? ErrorCode
    {
        get => throw null!;
    }
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class Response : IDisposable
{
    internal Response() => throw null!;

    public virtual ResponseHeaders Headers
    {
        get => throw null!;
    }

    public virtual bool IsError
    {
        get => throw null!;
    }

    void IDisposable.Dispose() => throw null!;
}

[ReadFrom("Azure.Core", "1.46.2")]
public abstract class Response<T> : NullableResponse<T>
{
    internal Response() => throw null!;

    public override T Value => throw null!;
}
