using EventHubThroughput.Clients;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Writing;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>Retries requests to the dead-letter container, which the clients try once, as often as writes to sinks are retried.</summary>
internal sealed class RepeatedRequest(RetryRule rule, TimeProvider timeProvider)
{
    /// <summary>Runs it until it succeeds, the tries are used up, or another try would not change the failure.</summary>
    /// <param name="request">The request. Safe to repeat.</param>
    /// <param name="cancellationToken">Cancels request and waits.</param>
    /// <exception cref="MessagingException">The last failure.</exception>
    public async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> request, CancellationToken cancellationToken)
    {
        var tries = new WriteTries(timeProvider.GetTimestamp());
        while (true)
        {
            TimeSpan pause;
            try
            {
                return await request(cancellationToken);
            }
            catch (MessagingException failure)
            {
                if (RetryRule.IsFatal(failure.Kind) || tries.After(failure, rule, timeProvider) is not { } wait)
                {
                    throw;
                }

                pause = wait;
            }

            await Task.Delay(pause, timeProvider, cancellationToken);
        }
    }
}
