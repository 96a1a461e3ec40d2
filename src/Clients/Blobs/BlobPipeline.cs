using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events.Pooling;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Sends requests, each try with its own date, signature and time-out. Retries failures that may be transient.</summary>
internal sealed class BlobPipeline(HttpMessageInvoker http, DeadlinePool deadlines, StorageConnectionString settings, BlobAccountOptions options, Outage outage)
{
    // A body gets another second for this many bytes, so that a slow line does not count as a dead one.
    private const double BytesPerSecond = 1024 * 1024;

    private readonly BlobSigner signer = new(settings, options.TimeProvider);
    private readonly string host = settings.BlobEndpoint.Authority + (settings.BlobEndpoint.IsDefaultPort ? $":{settings.BlobEndpoint.Port}" : string.Empty);

    /// <summary>The same connections and outage state with another retry policy.</summary>
    public BlobPipeline With(RetryOptions retry) => new(http, deadlines, settings, options with { Retry = retry }, outage);

    /// <summary>Sends a request until it succeeds, fails for good, or its retries are used up.</summary>
    /// <param name="call">The request.</param>
    /// <param name="expected">The status of success.</param>
    /// <param name="read">Reads the answer. Its failures count as a broken connection.</param>
    /// <param name="cancellationToken">Cancels tries and waits.</param>
    // Pooled: an upload waits here for its answer, and many uploads run concurrently.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public async ValueTask<T> SendAsync<T>(
        BlobCall call,
        HttpStatusCode expected,
        Func<HttpResponseMessage, BlobTry, ValueTask<T>> read,
        CancellationToken cancellationToken
    )
    {
        var clock = options.TimeProvider;
        var tries = new BlobTries(clock.GetTimestamp(), TimeFor(call.Content?.Length ?? 0));
        while (true)
        {
            MessagingException failure;
            var isAnswered = false;
            tries.TriedAt = clock.GetTimestamp();
            var limit = deadlines.Start(options.Retry.TryTimeout + tries.BodyTime, cancellationToken);
            try
            {
                using var message = signer.CreateMessage(call, Telling(call, OperationMoment.OnTheWire));
                var sent = clock.GetUtcNow();
                using var answer = await http.SendAsync(message, limit.Token).ConfigureAwait(false);
                isAnswered = true;
                RecordAnswer(answer, sent);
                if (answer.StatusCode == expected)
                {
                    Telling(call, OperationMoment.Answered)?.Invoke();
                    return await read(answer, new BlobTry(call, this, cancellationToken)).ConfigureAwait(false);
                }

                failure = BlobFailures.FromAnswer(call, answer, clock, tries.Unanswered);
            }
            catch (Exception exception) when (GetFailure(exception, call, isAnswered || limit.Token.IsCancellationRequested, cancellationToken) is { } broken)
            {
                failure = broken;
            }
            finally
            {
                limit.Dispose();
            }

            await Task.Delay(WaitAfter(failure, call, ref tries), clock, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Starts the time limit for reading a body of this length.</summary>
    public DeadlinePool.Deadline StartReading(long length, CancellationToken cancellationToken) =>
        deadlines.Start(options.Retry.TryTimeout + TimeFor(length), cancellationToken);

    // Every answer counts, also an error. Its date shows the difference between the clocks.
    private void RecordAnswer(HttpResponseMessage answer, DateTimeOffset sent)
    {
        if (outage.Over())
        {
            Log.StorageAnswersAgain(options.Log, host);
        }

        // Not the typed headers, which need an allocation each.
        if (
            options.ClockRead is { } tell
            && answer.Headers.NonValidated.TryGetValues("Date", out var text)
            && DateTimeOffset.TryParseExact(text.ToString(), "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var date)
        )
        {
            tell(ClockDifference.Of(date, sent, options.TimeProvider.GetUtcNow()));
        }
    }

    // The wait before the next try. Throws when there is none.
    private TimeSpan WaitAfter(MessagingException failure, BlobCall call, ref BlobTries tries)
    {
        var clock = options.TimeProvider;
        tries.Unanswered |= failure.Kind == FailureKind.Transient;
        var wait = Longer(options.Retry.DelayOf(tries.Failed++, options.Jitter()), failure.RetryAfter);
        if (failure.Kind == FailureKind.Unconnected)
        {
            // Only time limits this, so that a restarting service does not use up the retries.
            var left = outage.Failed(tries.TriedAt, failure);
            if (left <= TimeSpan.Zero)
            {
                Log.StorageUnreachable(options.Log, host, options.Retry.UnreachableLimit, failure);
                throw BlobFailures.Unreachable(call.Subject, host, options.Retry.UnreachableLimit, failure.InnerException!);
            }

            if (options.Retry.MaximumRetries == 0)
            {
                throw failure;
            }

            wait = wait < left ? wait : left;
            Log.StorageUnconnected(options.Log, host, wait, failure);
            tries.StartedAt = clock.GetTimestamp();
        }
        else if (
            !failure.IsTransient
            || tries.Counted++ == options.Retry.MaximumRetries
            || clock.GetElapsedTime(tries.StartedAt) + wait > options.Retry.OperationTimeout + tries.BodyTime
        )
        {
            if (failure.IsTransient && options.Retry.MaximumRetries > 0)
            {
                Log.TriesUsedUp(options.Log, call.Subject.ToString(), tries.Failed, failure);
            }

            throw failure;
        }
        else if (failure.Kind == FailureKind.Throttled)
        {
            Log.Throttled(options.Log, host, wait, failure);
        }
        else if (options.Log.IsEnabled(LogLevel.Debug))
        {
            Log.TryFailed(options.Log, call.Subject.ToString(), tries.Failed, wait, failure);
        }

        return wait;
    }

    // Null when the service has not failed: the caller has cancelled, or there is a bug in this client.
    private MessagingException? GetFailure(Exception exception, BlobCall call, bool wasConnected, CancellationToken cancellationToken) =>
        exception switch
        {
            // The handler reports its connect time-out as a cancellation that the caller did not request.
            OperationCanceledException when cancellationToken.IsCancellationRequested => null,
            OperationCanceledException when wasConnected => BlobFailures.NoAnswer(call.Subject, host, exception),
            OperationCanceledException => BlobFailures.NoConnection(call.Subject, host, exception),
            HttpRequestException
            {
                HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError
            } => BlobFailures.NoConnection(call.Subject, host, exception),
            HttpRequestException or IOException => BlobFailures.Broken(call.Subject, host, exception),
            _ => null,
        };

    // Only for writes of blobs.
    private Action? Telling(BlobCall call, OperationMoment moment) =>
        options.Observer is { } observer && call is { Blob: not null, Content: not null } ? Telling(call, moment, observer) : null;

    private static Action Telling(BlobCall call, OperationMoment moment, Action<OperationStep> observer) =>
        () => observer(new OperationStep(moment, call.Container, call.Blob, call.Metadata));

    private static TimeSpan TimeFor(long bytes) => TimeSpan.FromSeconds(bytes / BytesPerSecond);

    private static TimeSpan Longer(TimeSpan first, TimeSpan second) => first > second ? first : second;

    // The state of a request: when it began, the time for its body, and the results of its tries.
    private record struct BlobTries(long StartedAt, TimeSpan BodyTime)
    {
        public long TriedAt;
        public int Failed;

        // The tries that reached a service.
        public int Counted;
        public bool Unanswered;
    }
}

/// <summary>The try that an answer belongs to.</summary>
internal readonly record struct BlobTry(BlobCall Call, BlobPipeline Pipeline, CancellationToken CancellationToken)
{
    /// <summary>Begins to read the answer's body, which has a separate time limit.</summary>
    public DeadlinePool.Deadline StartReading(HttpResponseMessage answer) =>
        Pipeline.StartReading(answer.Content.Headers.ContentLength ?? 0, CancellationToken);
}
