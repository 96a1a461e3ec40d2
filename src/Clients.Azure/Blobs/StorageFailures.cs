using System.Net;
using Azure;
using Azure.Identity;
using EventHubThroughput.Clients.Azure.Failures;
using EventHubThroughput.Clients.Azure.Identity;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Azure.Blobs;

/// <summary>Converts exceptions of the package to the exception of the clients, with the messages of the built-in ones.</summary>
internal sealed class StorageFailures
{
    private readonly ClientOptions options;
    private readonly string host;
    private readonly Outage outage;
    private readonly FirstConnectionProbe first;

    public StorageFailures(Uri endpoint, ClientOptions options)
    {
        this.options = options;
        host = $"{endpoint.Host}:{endpoint.Port}";
        outage = new Outage(options.Retry, options.TimeProvider, host, options.Notice);
        first = new FirstConnectionProbe(host, outage, options.TimeProvider);
    }

    /// <summary>Records an answer of storage.</summary>
    public void Answered() => outage.Over();

    /// <summary>Runs an operation of the package. Its failures become <see cref="MessagingException"/>.</summary>
    /// <param name="subject">The subject of the operation.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="cancellationToken">The caller's token. Its cancellation is not a failure.</param>
    public async Task<T> RunAsync<T>(BlobSubject subject, Func<Task<T>> operation, CancellationToken cancellationToken)
    {
        var started = Begin();
        try
        {
            var result = await first.WatchAsync(operation(), cancellationToken).ConfigureAwait(false);
            Answered();
            return result;
        }
        catch (Exception exception) when (PackageFailures.IsFailure(exception, cancellationToken))
        {
            throw Of(exception, subject, started);
        }
    }

    /// <summary>The raw timestamp of an operation that begins now.</summary>
    public long Begin() => options.TimeProvider.GetTimestamp();

    /// <summary>Converts the failure of an operation.</summary>
    /// <param name="exception">The exception of the package.</param>
    /// <param name="subject">The subject of the operation.</param>
    /// <param name="started">When it began.</param>
    public MessagingException Of(Exception exception, BlobSubject subject, long started)
    {
        if (HasAnswer(exception))
        {
            Answered();
        }

        return Translate(exception, subject, started);
    }

    // One of the tries may have been answered although the last was not.
    private static bool HasAnswer(Exception exception) =>
        exception switch
        {
            AggregateException tries => tries.InnerExceptions.Any(HasAnswer),
            RequestFailedException { Status: > 0 } => true,
            _ => false,
        };

    private MessagingException Translate(Exception exception, BlobSubject subject, long started) =>
        exception switch
        {
            // The exceptions of several tries of one request. The last one counts.
            AggregateException { InnerExceptions: [.., { } last] } => Translate(last, subject, started),
            AuthenticationFailedException noToken => EntraId.NoToken(subject.ToString(), noToken),
            RequestFailedException { Status: > 0 } refused => BlobFailures.Refused(
                subject,
                (HttpStatusCode)refused.Status,
                refused.ErrorCode ?? refused.Status.ToString(),
                RetryAfter(refused)
            ),
            RequestFailedException { InnerException: { } inner } => Translate(inner, subject, started),
            HttpRequestException
            {
                HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError
            } => NoConnection(exception, subject, started),
            OperationCanceledException or TimeoutException => BlobFailures.NoAnswer(subject, host, exception),
            HttpRequestException or IOException or RequestFailedException => BlobFailures.Broken(subject, host, exception),
            _ => new MessagingException(FailureKind.Permanent, $"{subject}: {exception.Message}", exception),
        };

    private MessagingException NoConnection(Exception exception, BlobSubject subject, long started) =>
        outage.Failed(started, exception) > TimeSpan.Zero
            ? BlobFailures.NoConnection(subject, host, exception)
            : BlobFailures.Unreachable(subject, host, options.Retry.UnreachableLimit, exception);

    private TimeSpan RetryAfter(RequestFailedException refused)
    {
        if (
            refused.GetRawResponse()?.Headers.TryGetValue("Retry-After", out var text) != true
            || !System.Net.Http.Headers.RetryConditionHeaderValue.TryParse(text, out var header)
        )
        {
            return TimeSpan.Zero;
        }

        var wait = header.Delta ?? header.Date - options.TimeProvider.GetUtcNow() ?? TimeSpan.Zero;
        return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
    }
}
