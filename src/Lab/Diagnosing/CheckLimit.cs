using System.Globalization;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Ends each wait after a time. An operation that ignores its token is abandoned.</summary>
/// <param name="Longest">The time of each wait.</param>
/// <param name="Clock">The clock.</param>
internal sealed record CheckLimit(TimeSpan Longest, TimeProvider Clock)
{
    /// <exception cref="MessagingException">The operation failed or took too long.</exception>
    public async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> operation, CancellationToken cancellationToken)
    {
        using var time = new CancellationTokenSource(Longest, Clock);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, cancellationToken);
        var running = operation(both.Token);
        try
        {
            return await running.WaitAsync(both.Token);
        }
        catch (Exception ended) when (ended is OperationCanceledException or MessagingException && time.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Observe(running);
            throw new MessagingException(
                FailureKind.Transient,
                string.Create(CultureInfo.InvariantCulture, $"no answer within {Longest.TotalSeconds:0.###} s"),
                ended
            )
            {
                IsTimeout = true,
            };
        }
        catch (OperationCanceledException)
        {
            Observe(running);
            throw;
        }
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public Task RunAsync(Func<CancellationToken, Task> operation, CancellationToken cancellationToken) =>
        RunAsync(
            async token =>
            {
                await operation(token);
                return true;
            },
            cancellationToken
        );

    /// <summary>
    /// The options of the clients that are checked. A busy service is asked again twice, after the time that it asks for. More tries would only delay the answer
    /// about a wrong key, which the official clients try again too. A try has half of the time, so that it is
    /// repeated after a connection without an answer.
    /// </summary>
    /// <param name="storage">Compares the clock of storage.</param>
    public ClientOptions GetClientOptions(StorageClock storage) =>
        new()
        {
            TimeProvider = Clock,
            StorageClockRead = storage.Note,
            Retry = new RetryOptions
            {
                MaximumRetries = 2,
                TryTimeout = Longest / 2,
                OperationTimeout = Longest,
                UnreachableLimit = TimeSpan.Zero,
            },
        };

    // The failure of an abandoned operation has no other receiver.
    private static void Observe(Task abandoned) =>
        _ = abandoned.ContinueWith(
            static failed => failed.Exception,
            CancellationToken.None,
            TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
}
