using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Xml.Linq;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Administration;

/// <summary>An emulator that is asked as the administration clients of Service Bus ask.</summary>
public abstract class AtomFixture : RunningEmulator
{
    protected const string Connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    private protected static readonly XNamespace Atom = "http://www.w3.org/2005/Atom";

    private protected string Key => MessagingConnectionString.Parse(EventHubs).Key!;

    private protected string Admin => Host.Settings["EMULATOR_ADMIN_URL"];

    /// <summary>A description of a kind inside an entry.</summary>
    private protected static string Entry(string description, string elements = "") =>
        $"""<entry xmlns="{Atom}"><content type="application/xml"><{description} xmlns="{Connect}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">{elements}</{description}></content></entry>""";

    private protected Task<(HttpStatusCode Status, XElement? Body)> PutAsync(string path, string body, bool change = false) =>
        SendAsync("PUT", $"{path}?api-version=2021-05", body, change);

    private protected Task<(HttpStatusCode Status, XElement? Body)> GetAsync(string path) =>
        SendAsync("GET", $"{path}{(path.Contains('?', StringComparison.Ordinal) ? '&' : '?')}api-version=2021-05");

    private protected async Task<(HttpStatusCode Status, XElement? Body)> SendAsync(
        string method,
        string target,
        string? body = null,
        bool change = false,
        string? authorization = null
    )
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Admin + target));
        var later = TimeProvider.System.GetUtcNow().AddMinutes(5);
        request.Headers.TryAddWithoutValidation(
            "Authorization",
            authorization ?? SasToken.Create(request.RequestUri!.AbsoluteUri, "RootManageSharedAccessKey", Key, later)
        );
        if (change)
        {
            request.Headers.TryAddWithoutValidation("If-Match", "*");
        }

        if (body is not null)
        {
            request.Content = new StringContent(body, Encoding.UTF8);
            request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse("application/atom+xml");
        }

        using var answer = await client.SendAsync(request, Cancellation);
        var text = await answer.Content.ReadAsStringAsync(Cancellation);
        return (answer.StatusCode, text.Length == 0 ? null : XElement.Parse(text));
    }

    /// <summary>A property of what is described.</summary>
    private protected static string? GetElement(XElement? entry, string name) => entry!.Descendants(XName.Get(name, Connect)).FirstOrDefault()?.Value;

    /// <summary>The detail of a refusal.</summary>
    private protected static string Detail((HttpStatusCode Status, XElement? Body) answer, HttpStatusCode expected)
    {
        Assert.Equal(expected, answer.Status);
        Assert.Equal(
            ("Error", ((int)expected).ToString(System.Globalization.CultureInfo.InvariantCulture)),
            (answer.Body!.Name.LocalName, answer.Body.Element("Code")!.Value)
        );
        return answer.Body.Element("Detail")!.Value;
    }
}
