using System.Xml;
using System.Xml.Linq;
using Azure;
using Azure.Core;
using Azure.Core.Pipeline;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Administration;

/// <summary>
/// The consumer groups of an event hub, by the management protocol of its namespace (learn.microsoft.com/rest/api/eventhub). The packages can create them only
/// with the resource manager, which needs a subscription and another identity.
/// </summary>
/// <param name="service">The namespace.</param>
/// <param name="hub">The event hub.</param>
/// <param name="credential">The Entra ID credential. Null if the namespace has a key.</param>
/// <param name="transport">Connections and retries.</param>
/// <param name="timeProvider">The clock of the tokens.</param>
internal sealed class ConsumerGroupRequests(
    MessagingConnectionString service,
    string hub,
    TokenCredential? credential,
    AdministrationTransport transport,
    TimeProvider timeProvider
)
{
    private const string Version = "2014-01";
    private const string EntryType = "application/atom+xml;type=entry;charset=utf-8";
    private const int LargestAnswer = 256 * 1024;

    private static readonly XNamespace Atom = "http://www.w3.org/2005/Atom";
    private static readonly XNamespace Connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    private readonly Uri address = new AdministrationAddress(service).Uri;

    private readonly HttpPipeline pipeline = HttpPipelineBuilder.Build(
        transport.ApplyTo(new Options()),
        credential is null ? new KeyPolicy(service, timeProvider) : new BearerTokenAuthenticationPolicy(credential, EntraId.EventHubsScope)
    );

    /// <summary>The host and port of the namespace.</summary>
    public string Authority => address.Authority;

    /// <summary>Creates a consumer group with the text of a user.</summary>
    public async Task CreateAsync(string name, string metadata, CancellationToken cancellationToken)
    {
        var entry = new XElement(
            Atom + "entry",
            new XElement(
                Atom + "content",
                new XAttribute("type", "application/xml"),
                new XElement(Connect + "ConsumerGroupDescription", new XElement(Connect + "UserMetadata", metadata))
            )
        );
        await SendAsync(RequestMethod.Put, name, entry, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the text of a user. Null if there is none.</summary>
    public async Task<string?> ReadMetadataAsync(string name, CancellationToken cancellationToken)
    {
        var entry = await SendAsync(RequestMethod.Get, name, content: null, cancellationToken).ConfigureAwait(false);
        return entry?.Descendants(Connect + "UserMetadata").FirstOrDefault()?.Value;
    }

    /// <summary>Deletes a consumer group.</summary>
    public Task DeleteAsync(string name, CancellationToken cancellationToken) => SendAsync(RequestMethod.Delete, name, content: null, cancellationToken);

    private async Task<XElement?> SendAsync(RequestMethod method, string name, XElement? content, CancellationToken cancellationToken)
    {
        using var message = pipeline.CreateMessage();
        message.BufferResponse = false;
        message.Request.Method = method;
        message.Request.Uri.Reset(
            new Uri(address, $"{Uri.EscapeDataString(hub)}/consumergroups/{Uri.EscapeDataString(name)}?timeout=60&api-version={Version}")
        );
        if (content is not null)
        {
            message.Request.Headers.Add("Content-Type", EntryType);
            message.Request.Content = RequestContent.Create(new BinaryData(content.ToString(SaveOptions.DisableFormatting)));
        }

        await pipeline.SendAsync(message, cancellationToken).ConfigureAwait(false);
        var body = await ReadAsync(message.Response, cancellationToken).ConfigureAwait(false);
        return message.Response.IsError
            ? throw new RequestFailedException(message.Response.Status, body?.Descendants("Detail").FirstOrDefault()?.Value ?? message.Response.ReasonPhrase)
            : body;
    }

    // Null if it is empty or no XML, as from a proxy.
    private static async Task<XElement?> ReadAsync(Response response, CancellationToken cancellationToken)
    {
        if (response.ContentStream is not { } stream)
        {
            return null;
        }

        using var text = new MemoryStream();
        var part = new byte[8 * 1024];
        int read;
        while ((read = await stream.ReadAsync(part, cancellationToken).ConfigureAwait(false)) > 0)
        {
            if (text.Length + read > LargestAnswer)
            {
                throw new IOException($"the answer is longer than {LargestAnswer} bytes");
            }

            await text.WriteAsync(part.AsMemory(0, read), cancellationToken).ConfigureAwait(false);
        }

        text.Position = 0;
        try
        {
            using var reader = XmlReader.Create(text, new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null });
            return XElement.Load(reader);
        }
        catch (XmlException)
        {
            return null;
        }
    }

    private sealed class Options : global::Azure.Core.ClientOptions;

    // A token for the whole namespace: a policy with the right Manage is one of the namespace.
    private sealed class KeyPolicy(MessagingConnectionString service, TimeProvider timeProvider) : HttpPipelineSynchronousPolicy
    {
        private static readonly TimeSpan Life = TimeSpan.FromMinutes(20);

        public override void OnSendingRequest(HttpMessage message)
        {
            var audience = $"{message.Request.Uri.Scheme}://{message.Request.Uri.Host}/";
            message.Request.Headers.SetValue("Authorization", SasToken.Create(audience, service.KeyName!, service.Key!, timeProvider.GetUtcNow() + Life));
        }
    }
}
