using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Diagnosing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Diagnosing;

public sealed class DoctorCommandTests
{
    private static readonly Dictionary<string, string> Keys = new(StringComparer.Ordinal)
    {
        ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["EVENTHUB_NAME"] = "hub",
        ["SERVICEBUS_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5673;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
        ["SERVICEBUS_QUEUE"] = "queue",
        ["STORAGE_CONNECTION_STRING"] =
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1",
    };

    private readonly List<DoctorChoice> examined = [];

    [Fact]
    public async Task The_services_of_the_environment_are_examined_and_their_exit_code_is_returned()
    {
        Assert.Equal((4, ""), await RunAsync(Keys, "--clients=builtin", "--timeout=3s"));

        var choice = Assert.Single(examined);
        Assert.Equal((ClientFamily.BuiltIn, TimeSpan.FromSeconds(3)), (choice.Clients, choice.Limit));
    }

    [Fact]
    public async Task Each_answer_may_take_ten_seconds_by_default()
    {
        await RunAsync(Keys);

        Assert.Equal((ClientFamily.Official, TimeSpan.FromSeconds(10)), (examined[0].Clients.Name, examined[0].Limit));
    }

    [Fact]
    public async Task Settings_that_are_missing_end_it_with_2_before_anything_is_examined()
    {
        Assert.Equal((2, "error: doctor: no connection settings are set in the environment\n"), await RunAsync([]));
        Assert.Equal(
            (2, "error: SERVICEBUS_QUEUE: not set, nor is SERVICEBUS_TOPIC\n"),
            await RunAsync(Keys.Where(static one => one.Key != "SERVICEBUS_QUEUE").ToDictionary())
        );
        Assert.Empty(examined);
    }

    [Fact]
    public async Task Entra_ID_is_refused_for_clients_that_have_only_keys()
    {
        var keyless = Keys.Where(static one => one.Key != "EVENTHUB_CONNECTION_STRING").ToDictionary();
        keyless["EVENTHUB_NAMESPACE"] = "orders.servicebus.windows.net";

        Assert.Equal((2, "error: EVENTHUB_NAMESPACE: Entra ID needs --clients=official\n"), await RunAsync(keyless, "--clients=builtin"));
        Assert.Empty(examined);
    }

    [Theory]
    [InlineData("--timeout=0s", "error: --timeout 0s: out of range, allowed 1s to 10m\n")]
    [InlineData("--clients=own", "error: --clients 'own': unknown. Known: official, builtin\n")]
    public async Task Values_that_are_not_allowed_are_refused(string argument, string expected) => Assert.Equal((2, expected), await RunAsync(Keys, argument));

    private async Task<(int Code, string Error)> RunAsync(Dictionary<string, string> variables, params string[] arguments)
    {
        await using var error = new StringWriter();
        var console = new CommandConsole(TextWriter.Null, error, variables.GetValueOrDefault);
        var root = new RootCommand("test");
        root.Subcommands.Add(
            DoctorCommand.Create(
                console,
                (choice, _) =>
                {
                    examined.Add(choice);
                    return Task.FromResult(4);
                }
            )
        );
        var code = await CommandHost.RunAsync(root, ["doctor", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, error.ToString());
    }
}
