using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Both programs try for a minute before they give a service up. Only that minute is long here, so it is waited for once.</summary>
public sealed class UnreachableServiceTests
{
    [Theory]
    [EachFamily]
    public async Task A_host_that_refuses_ends_both_programs_with_exit_code_4(string clients)
    {
        var settings = Unreachable();
        var consumer = Programs.ConsumerAsync($"--clients={clients} --strategy=outloop --no-metrics", settings, TestContext.Current.CancellationToken);
        var sender = Programs.SenderAsync($"--clients={clients} --count 5", settings, TestContext.Current.CancellationToken);
        Assert.All(
            await Task.WhenAll(consumer, sender),
            static finished =>
            {
                Assert.Equal(4, finished.ExitCode);
                Assert.Contains("127.0.0.1", GetError(finished), StringComparison.Ordinal);
            }
        );
    }

    private static string GetError(FinishedProcess finished)
    {
        Assert.DoesNotContain("   at ", finished.Error, StringComparison.Ordinal);
        return Assert.Single(finished.Error.Split('\n'), static line => line.StartsWith("error:", StringComparison.Ordinal));
    }

    private static Dictionary<string, string> Unreachable()
    {
        var port = FreePort.Next();
        return new Dictionary<string, string>
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["EVENTHUB_NAME"] = "hub",
            ["SERVICEBUS_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["SERVICEBUS_QUEUE"] = "queue",
            ["STORAGE_CONNECTION_STRING"] =
                $"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=czE=;BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;",
        };
    }
}
