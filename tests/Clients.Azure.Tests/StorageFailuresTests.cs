using Azure;
using EventHubThroughput.Clients.Azure.Blobs;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>When failures of the package add up to a storage that is out of reach.</summary>
public sealed class StorageFailuresTests
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(4);
    private static readonly HttpRequestException NoConnection = new(HttpRequestError.ConnectionError);

    private readonly VirtualClock clock = new();
    private readonly StorageFailures failures;

    public StorageFailuresTests() =>
        failures = new StorageFailures(new Uri("http://127.0.0.1:1/account"), new ClientOptions { Retry = new RetryOptions(), TimeProvider = clock });

    [Fact]
    public void Tries_without_a_connection_add_up() => Assert.Equal(FailureKind.Unreachable, FailFor(seconds: 64, NoConnection).Kind);

    [Fact]
    public void An_answer_begins_the_count_again()
    {
        FailFor(seconds: 56, NoConnection);
        failures.Answered();

        Assert.Equal(FailureKind.Unconnected, FailFor(seconds: 56, NoConnection).Kind);
    }

    [Fact]
    public void So_does_an_error_that_storage_answers()
    {
        FailFor(seconds: 56, NoConnection);
        Fail(new RequestFailedException(500, "The server is busy."));

        Assert.Equal(FailureKind.Unconnected, FailFor(seconds: 56, NoConnection).Kind);
    }

    [Fact]
    public void So_does_an_error_that_one_of_several_tries_was_answered()
    {
        FailFor(seconds: 56, NoConnection);
        Fail(new AggregateException(new RequestFailedException(500, "The server is busy."), NoConnection));

        Assert.Equal(FailureKind.Unconnected, FailFor(seconds: 52, NoConnection).Kind);
    }

    private MessagingException FailFor(int seconds, Exception exception)
    {
        var begin = clock.GetUtcNow();
        MessagingException failure;
        do
        {
            failure = Fail(exception);
        } while (clock.GetUtcNow() - begin < TimeSpan.FromSeconds(seconds));

        return failure;
    }

    private MessagingException Fail(Exception exception)
    {
        var started = failures.Begin();
        clock.Advance(Step);
        return failures.Of(exception, new BlobSubject("container", "blob"), started);
    }
}
