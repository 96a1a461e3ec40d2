using System.Net;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Sends requests, each try with its own date, signature and time-out, and tries again what may succeed later.</summary>
internal sealed class BlobPipeline(HttpMessageInvoker http, DeadlinePool deadlines, StorageConnectionString settings, BlobAccountOptions options, Outage outage)
{
    // A body gets a second more for each of these, so that a slow line is not taken for a dead one.
    private const double BytesPerSecond = 1024 * 1024;

    private readonly BlobSigner signer = new(settings, options.TimeProvider);
    private readonly string host = settings.BlobEndpoint.Authority + (settings.BlobEndpoint.IsDefaultPort ? $":{settings.BlobEndpoint.Port}" : string.Empty);

    /// <summary>The same connections and the same outage, but other retries.</summary>
    public BlobPipeline With(RetryOptions retry) => new(http, deadlines, settings, options with { Retry = retry }, outage);

    /// <summary>Sends a request until it succeeds, fails for good, or may be tried no longer.</summary>
    /// <param name="call">The request.</param>
    /// <param name="expected">The status of success.</param>
    /// <param name="read">Reads the answer; its failures count as a broken connection.</param>
    /// <param name="cancellationToken">Cancels tries and waits.</param>
    public async Task<T> SendAsync<T>(
        BlobCall call,
        HttpStatusCode expected,
        Func<HttpResponseMessage, BlobTry, ValueTask<T>> read,
        CancellationToken cancellationToken
    )
    {
        var clock = options.TimeProvider;
        var bodyTime = TimeFor(call.Content?.Length ?? 0);
        var started = clock.GetTimestamp();
        var retriesLeft = options.Retry.MaximumRetries;
        var unanswered = false;
        for (var retry = 0; ; retry++)
        {
            var tried = clock.GetTimestamp();
            (var value, var failure) = await TryOnceAsync(call, expected, read, bodyTime, unanswered, cancellationToken).ConfigureAwait(false);
            if (failure is null)
            {
                return value!;
            }

            unanswered |= failure.Kind == FailureKind.Transient;
            var wait = Longer(options.Retry.DelayOf(retry, options.Jitter()), failure.RetryAfter);
            if (failure.Kind == FailureKind.Unconnected)
            {
                // Limited by time alone, so that a restarting service does not use up the retries.
                var left = outage.Failed(tried);
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
                started = clock.GetTimestamp();
            }
            else if (!failure.IsTransient || retriesLeft-- == 0 || clock.GetElapsedTime(started) + wait > options.Retry.OperationTimeout + bodyTime)
            {
                if (failure.IsTransient && options.Retry.MaximumRetries > 0)
                {
                    Log.TriesUsedUp(options.Log, call.Subject.ToString(), retry + 1, failure);
                }

                throw failure;
            }
            else if (failure.Kind == FailureKind.Throttled)
            {
                Log.Throttled(options.Log, host, wait, failure);
            }
            else if (options.Log.IsEnabled(LogLevel.Debug))
            {
                Log.TryFailed(options.Log, call.Subject.ToString(), retry + 1, wait, failure);
            }

            await Task.Delay(wait, clock, cancellationToken).ConfigureAwait(false);
        }
    }

    // Of writes to a blob alone.
    private Action? Telling(BlobCall call, OperationMoment moment) =>
        options.Observer is { } observer && call is { Blob: { } blob, Content: not null }
            ? () => observer(new OperationStep(moment, call.Container, blob, call.Metadata))
            : null;

    private static TimeSpan TimeFor(long bytes) => TimeSpan.FromSeconds(bytes / BytesPerSecond);

    private static TimeSpan Longer(TimeSpan first, TimeSpan second) => first > second ? first : second;

    private async Task<(T? Value, MessagingException? Failure)> TryOnceAsync<T>(
        BlobCall call,
        HttpStatusCode expected,
        Func<HttpResponseMessage, BlobTry, ValueTask<T>> read,
        TimeSpan bodyTime,
        bool unanswered,
        CancellationToken cancellationToken
    )
    {
        var clock = options.TimeProvider;
        using var limit = deadlines.Start(options.Retry.TryTimeout + bodyTime, cancellationToken);
        var isAnswered = false;
        try
        {
            using var message = call.CreateMessage(Telling(call, OperationMoment.OnTheWire));
            signer.Sign(message);
            var sent = clock.GetUtcNow();
            using var answer = await http.SendAsync(message, limit.Token).ConfigureAwait(false);
            isAnswered = true;
            if (outage.Over())
            {
                Log.StorageAnswersAgain(options.Log, host);
            }

            if (options.ClockRead is { } tell && answer.Headers.Date is { } date)
            {
                tell(ClockDifference.Of(date, sent, clock.GetUtcNow()));
            }

            if (answer.StatusCode != expected)
            {
                return (default, BlobFailures.FromAnswer(call, answer, clock, unanswered));
            }

            Telling(call, OperationMoment.Answered)?.Invoke();

            // A body has its own time.
            using var reading = deadlines.Start(options.Retry.TryTimeout + TimeFor(answer.Content.Headers.ContentLength ?? 0), cancellationToken);
            return (await read(answer, new BlobTry(call, reading.Token)).ConfigureAwait(false), null);
        }
        catch (OperationCanceledException exception) when (!cancellationToken.IsCancellationRequested)
        {
            // The handler reports its connect time-out as a cancellation that we did not ask for.
            var failure =
                isAnswered || limit.Token.IsCancellationRequested
                    ? BlobFailures.NoAnswer(call.Subject, host, exception)
                    : BlobFailures.NoConnection(call.Subject, host, exception);
            return (default, failure);
        }
        catch (HttpRequestException exception)
            when (exception.HttpRequestError
                    is HttpRequestError.ConnectionError
                        or HttpRequestError.NameResolutionError
                        or HttpRequestError.SecureConnectionError
            )
        {
            return (default, BlobFailures.NoConnection(call.Subject, host, exception));
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            return (default, BlobFailures.Broken(call.Subject, host, exception));
        }
    }
}

/// <summary>The try that an answer belongs to.</summary>
internal readonly record struct BlobTry(BlobCall Call, CancellationToken CancellationToken);
